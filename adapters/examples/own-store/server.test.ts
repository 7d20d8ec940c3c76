import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertFollowsEveryRule, key } from '../testing/rules.ts'
import { nodeWithTypeScript, serving } from '../testing/serving.ts'

test('with this store, the service follows every rule, and its animals survive a restart', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pets-'))
  const env = { FILE: join(folder, 'animals.ndjson') }
  const start = () => serving(t, [...nodeWithTypeScript, 'adapters/examples/own-store/server.ts'], { env })
  const listed = async (origin: string) => {
    const headers = { Authorization: `Bearer ${key}` }
    return (await fetch(`${origin}/v1/pets?limit=100`, { headers })).text()
  }
  const first = await start()
  await assertFollowsEveryRule(first.origin)
  const before = await listed(first.origin)
  await first.end()
  const second = await start()
  assert.equal(await listed(second.origin), before)
  await second.end()
  rmSync(folder, { recursive: true })
})
