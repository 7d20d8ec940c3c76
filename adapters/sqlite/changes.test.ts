import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFileCache } from './changes.ts'

test('what was found is read once while nothing changes the file, and the oldest of too many again', () => {
  let changes = 0
  const reads: string[] = []
  const find = createFileCache({ harmless: 0, count: () => changes }, 2, (key: string) => {
    reads.push(key)
    return key === 'unknown' ? undefined : key
  })
  for (const key of ['a', 'a', 'b', 'unknown', 'unknown', 'a', 'b']) find(key)
  assert.deepEqual(reads.splice(0), ['a', 'b', 'unknown', 'unknown'])
  changes++
  for (const key of ['a', 'b', 'c', 'b', 'a']) find(key)
  assert.deepEqual(reads, ['a', 'b', 'c', 'a'])
})
