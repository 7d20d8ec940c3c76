import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { digest, hexOfDigest } from '../../core/internal.ts'
import { createKeyLookups } from './key-lookups.ts'
import { type ScriptedDatabase, scriptDatabase } from './testing/scripted-database.ts'

/** Creates a database with a row for each hash of `known`, whose version a test sets. */
function createBench(...known: readonly string[]) {
  const hashes = new Set(known.map((token) => hexOfDigest(digest(token))))
  const file = { version: 1, changes: 0 }
  const database = scriptDatabase()
  database.rows = (sql, [hash]) => {
    if (sql.includes('data_version')) return [{ data_version: file.version }]
    if (sql.includes('total_changes')) return [{ total: file.changes }]
    return hashes.has(String(hash)) ? [{ id: 'shelter', plan: 'pro', minute: null, day: null }] : []
  }
  const lookups = createKeyLookups(database)
  return { file, database, hashes, find: (token: string) => lookups.find(digest(token)) }
}

const queriesOf = ({ ran }: ScriptedDatabase) => ran.filter((sql) => sql.includes('api_keys')).length

test('a key is read once while nothing changes the file', () => {
  const { database, find } = createBench('a-key')
  assert.deepEqual(find('a-key')?.caller, { id: 'shelter', plan: 'pro' })
  assert.equal(find('a-key'), find('a-key'))
  assert.equal(queriesOf(database), 1)
})

test('a turn after a change by another connection, or on this one, a key is read again', async () => {
  const { database, file, find, hashes } = createBench('a-key')
  find('a-key')
  file.version++
  await nextTurn()
  find('a-key')
  file.changes++
  await nextTurn()
  find('a-key')
  assert.equal(queriesOf(database), 3)
  hashes.clear()
  file.version++
  await nextTurn()
  assert.equal(find('a-key'), undefined)
})

test('unknown tokens are not cached, and replace no key', () => {
  const { database, find } = createBench('a-key')
  find('a-key')
  for (let i = 0; i < 10_100; i++) assert.equal(find(`guess-${i}`), undefined)
  assert.equal(queriesOf(database), 10_101)
  assert.ok(find('a-key'))
  assert.equal(queriesOf(database), 10_101)
})

test('the oldest of more than 10,000 keys is read again', () => {
  const tokens = Array.from({ length: 10_001 }, (_, i) => `key-${i}`)
  const { database, find } = createBench(...tokens)
  for (const token of tokens) find(token)
  find('key-1')
  assert.equal(queriesOf(database), 10_001)
  find('key-0')
  assert.equal(queriesOf(database), 10_002)
})
