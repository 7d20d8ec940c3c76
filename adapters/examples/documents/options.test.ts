import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../testing/parts.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const [, section = ''] = textOf('adapters/README.md').split('\n## Options\n')
const rows =
  section
    .split('\n## ', 1)[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| ')) ?? []

/** The members of the interfaces of a source whose names end in `Options`, `Times` or `Policy`. */
function membersOf(path: string): readonly string[] {
  const interfaces = textOf(path).matchAll(
    /^export interface \w*(?:Options|Times|Policy)\b[^{]*\{([\s\S]*?)^\}/gm,
  )
  return [...interfaces].flatMap(([, body = '']) =>
    [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name),
  )
}

for (const source of [
  'core/pipeline/options.ts',
  'core/limits/memory-limiter.ts',
  'core/limits/bans.ts',
  'adapters/redis.ts',
  'adapters/node-http/handler.ts',
  'adapters/node-http/harden.ts',
  'adapters/node-http/pet-server.ts',
  'adapters/node-http/drain.ts',
  'adapters/fetch.ts',
  'adapters/sqlite.ts',
  'adapters/sqlite/keys.ts',
  'adapters/postgres.ts',
  'adapters/postgres/keys.ts',
])
  test(`the manual explains every option of ${source}`, () => {
    const members = membersOf(source)
    assert.ok(members.length > 0)
    const missing = members.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))
    assert.deepEqual(missing, [])
  })
