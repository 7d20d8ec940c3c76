import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { animals, headers, json, recorded, type Script } from '../testing/recorded.ts'
import { findSteadyAnimals, isComplete, pages } from './pages.ts'

const completeIn = (script: Script): readonly string[] => {
  const all = pages(recorded('read', script))
  return all.filter((page) => isComplete(page, all)).map(({ id }) => id)
}

describe('a page', () => {
  it('is complete if it is shorter than requested and than the longest one', () => {
    const filtered = ['list-available', 'list-pending', 'list-sold']
    assert.deepEqual(completeIn({}), [...filtered, ...filtered.map((id) => `${id}-100`)])
  })

  it('is not complete with a link to the next one', () => {
    for (const relation of ['rel="next"', 'rel=next', 'rel="prev next"', 'title="x"; rel="Next"']) {
      const link = headers({ link: `</pets>; ${relation}` })
      assert.ok(!completeIn({ 'list-sold': { headers: link } }).includes('list-sold'), relation)
    }
  })
})

const steadyIds = (around: string, script: Script): readonly bigint[] => {
  const transcript = recorded('read', script)
  const exchange = transcript.exchanges.find(({ id }) => id === around)
  assert.ok(exchange !== undefined)
  return [...findSteadyAnimals(transcript, exchange).keys()]
}

describe('an animal on pages', () => {
  it('is steady if pages before and after show it alike', () => {
    const [first, second, ...rest] = animals
    const last = [second, ...rest.slice(1)].map((animal, n) =>
      n === 5 ? { ...animal, name: 'Renamed' } : animal,
    )
    const closing = {
      'key-other-case': json(200, []),
      'list-last': json(200, []),
      'list-100-last': json(200, last),
    }
    const steady = steadyIds('get-listed', closing)
    assert.ok(first !== undefined && !steady.includes(BigInt(first.id)))
    assert.equal(steady.length, animals.length - 3)
  })

  it('is not steady if a filtered page shows it differently', () => {
    const sold = json(200, [{ ...animals[0], status: 'sold' }])
    assert.ok(!steadyIds('list-1', { 'list-sold': sold }).includes(1n))
  })
})
