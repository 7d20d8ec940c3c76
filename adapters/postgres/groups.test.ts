import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGroups, type GroupOptions } from './groups.ts'

/** Groups whose statements end when the test says so. */
function watchedGroups(options: GroupOptions = {}) {
  const sent: { name: string; items: readonly number[]; end: (failure?: Error) => void }[] = []
  const groups = createGroups(
    (name, items: readonly number[]) =>
      new Promise<string[]>((resolve, reject) => {
        const end = (failure?: Error) =>
          failure ? reject(failure) : resolve(items.map((item) => `${name} ${item}`))
        sent.push({ name, items, end })
      }),
    options,
  )
  return { sent, join: groups.join }
}

test('what comes in one turn shares a statement by its name, and each gets its own result', async () => {
  const { sent, join } = watchedGroups()
  const results = [join('a', 1), join('b', 2), join('a', 3)]
  await nextTurn()
  assert.deepEqual(
    sent.map(({ name, items }) => [name, items]),
    [
      ['a', [1, 3]],
      ['b', [2]],
    ],
  )
  for (const { end } of sent) end()
  assert.deepEqual(await Promise.all(results), ['a 1', 'b 2', 'a 3'])
})

test('what comes after a statement was sent is not answered by it', async () => {
  const { sent, join } = watchedGroups()
  const first = join('a', 1)
  await nextTurn()
  const second = join('a', 2)
  await nextTurn()
  assert.equal(sent.length, 2)
  for (const { end } of sent) end()
  assert.deepEqual(await Promise.all([first, second]), ['a 1', 'a 2'])
})

test('while it is busy, a group stays open until it is not, which it asks when a statement has ended', async () => {
  let isBusy = true
  const { sent, join } = watchedGroups({ isBusy: () => isBusy })
  const results = [join('a', 1)]
  await nextTurn()
  assert.equal(sent.length, 1, 'nothing of its own is under way, so nothing could release it')
  results.push(join('a', 2))
  await nextTurn()
  results.push(join('a', 3))
  await nextTurn()
  assert.equal(sent.length, 1)
  isBusy = false
  sent[0]?.end()
  await nextTurn()
  assert.deepEqual(sent[1]?.items, [2, 3])
  results.push(join('a', 4))
  await nextTurn()
  assert.deepEqual(sent[2]?.items, [4])
  for (const { end } of sent) end()
  assert.deepEqual(await Promise.all(results), ['a 1', 'a 2', 'a 3', 'a 4'])
})

test('a group that has waited its time is sent though it is busy', async () => {
  const { sent, join } = watchedGroups({ isBusy: () => true, longestMs: 0 })
  const results = [join('a', 1)]
  await nextTurn()
  results.push(join('a', 2))
  await nextTurn()
  assert.equal(sent.length, 2)
  for (const { end } of sent) end()
  assert.deepEqual(await Promise.all(results), ['a 1', 'a 2'])
})

test('a statement that fails fails for its group alone', async () => {
  const { sent, join } = watchedGroups()
  const results = [join('a', 1), join('a', 2), join('b', 3)]
  await nextTurn()
  sent[0]?.end(new Error('lost'))
  sent[1]?.end()
  await assert.rejects(results[0] as Promise<string>, /lost/)
  await assert.rejects(results[1] as Promise<string>, /lost/)
  assert.equal(await results[2], 'b 3')
})

test('a statement has at most 500 items', async () => {
  const { sent, join } = watchedGroups()
  const results = Array.from({ length: 501 }, (_, i) => join('a', i))
  await nextTurn()
  assert.deepEqual(
    sent.map(({ items }) => items.length),
    [500, 1],
  )
  for (const { end } of sent) end()
  assert.equal((await Promise.all(results))[500], 'a 500')
})
