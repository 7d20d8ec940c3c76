import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGroups } from './groups.ts'

/** Groups whose statements end when the test says so. */
function watchedGroups() {
  const sent: { items: readonly number[]; end: (failure?: Error) => void }[] = []
  const join = createGroups((name, items: readonly number[]) => {
    return new Promise<string[]>((resolve, reject) => {
      const end = (failure?: Error) =>
        failure ? reject(failure) : resolve(items.map((item) => `${name} ${item}`))
      sent.push({ items, end })
    })
  })
  return { sent, join }
}

describe('a group of calls', () => {
  it('ends when its statement is sent', async () => {
    const { sent, join } = watchedGroups()
    const first = join('a', 1)
    await nextTurn()
    const second = join('a', 2)
    await nextTurn()
    assert.equal(sent.length, 2)
    for (const { end } of sent) end()
    assert.deepEqual(await Promise.all([first, second]), ['a 1', 'a 2'])
  })

  it('fails without the other groups', async () => {
    const { sent, join } = watchedGroups()
    const results = [join('a', 1), join('a', 2), join('b', 3)]
    await nextTurn()
    sent[0]?.end(new Error('lost'))
    sent[1]?.end()
    const settled = await Promise.allSettled(results)
    assert.equal(settled.map(({ status }) => status).join(), 'rejected,rejected,fulfilled')
  })

  it('has at most 500 items in a statement', async () => {
    const { sent, join } = watchedGroups()
    const results = Array.from({ length: 501 }, (_, i) => join('a', i))
    await nextTurn()
    assert.equal(sent.map(({ items }) => items.length).join(), '500,1')
    for (const { end } of sent) end()
    assert.equal((await Promise.all(results))[500], 'a 500')
  })
})
