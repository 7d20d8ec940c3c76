import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertKeepsEveryRule, key } from '../testing/rules.ts'
import { nodeWithTypeScript, serving } from '../testing/serving.ts'

test('with a store of its own, the service keeps every rule, and its animals over a restart', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pets-'))
  const env = { FILE: join(folder, 'animals.ndjson') }
  const start = () => serving(t, [...nodeWithTypeScript, 'adapters/examples/own-store/server.ts'], { env })
  const listed = async (origin: string) => {
    const headers = { Authorization: `Bearer ${key}` }
    return (await fetch(`${origin}/v1/pets?limit=100`, { headers })).text()
  }
  const first = await start()
  await assertKeepsEveryRule(first.origin)
  const before = await listed(first.origin)
  await first.end()
  const second = await start()
  assert.equal(await listed(second.origin), before)
  await second.end()
  rmSync(folder, { recursive: true })
})
