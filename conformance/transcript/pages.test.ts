import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { animals, buildTranscript, createHeaders, type Script, scriptJson } from '../testing/recorded.ts'
import { findUnchangedPets, isComplete, parsePages } from './pages.ts'

const listCompletePages = (script: Script): readonly string[] => {
  const allPages = parsePages(buildTranscript('read', script))
  return allPages.filter((page) => isComplete(page, allPages)).map(({ id }) => id)
}

describe('a complete page of animals', () => {
  it('is shorter than its limit and the longest page', () => {
    const filteredSteps = ['list-available', 'list-pending', 'list-sold']
    assert.deepEqual(listCompletePages({}), [...filteredSteps, ...filteredSteps.map((id) => `${id}-100`)])
  })

  it('has no link to a next page', () => {
    for (const relation of ['rel="next"', 'rel=next', 'rel="prev next"', 'title="x"; rel="Next"']) {
      const link = createHeaders({ link: `</pets>; ${relation}` })
      assert.ok(!listCompletePages({ 'list-sold': { headers: link } }).includes('list-sold'), relation)
    }
  })
})

const listUnchangedIds = (around: string, script: Script): readonly bigint[] => {
  const transcript = buildTranscript('read', script)
  const givenExchange = transcript.exchanges.find(({ id }) => id === around)
  assert.ok(givenExchange !== undefined)
  return [...findUnchangedPets(transcript, givenExchange).keys()]
}

describe('animals that do not change during a request', () => {
  it('are the same on pages before and after the request', () => {
    const [first, second, ...rest] = animals
    const lastPage = [second, ...rest.slice(1)].map((animal, n) =>
      n === 5 ? { ...animal, name: 'Renamed' } : animal,
    )
    const closing = {
      'key-other-case': scriptJson(200, []),
      'list-last': scriptJson(200, []),
      'list-100-last': scriptJson(200, lastPage),
    }
    const unchangedIds = listUnchangedIds('get-listed', closing)
    assert.ok(first !== undefined && !unchangedIds.includes(BigInt(first.id)))
    assert.equal(unchangedIds.length, animals.length - 3)
  })

  it('have the same status on every page', () => {
    const soldResponse = scriptJson(200, [{ ...animals[0], status: 'sold' }])
    assert.ok(!listUnchangedIds('list-1', { 'list-sold': soldResponse }).includes(1n))
  })
})
