import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  buildTranscript,
  scriptEach,
  scriptError,
  scriptJson,
  unfilteredPageStepIds,
} from '../testing/recorded.ts'
import { createKnown } from './known.ts'

const givenFacts = {
  marker: 'Testabcd',
  unknownId: '1',
  idInBody: '2',
  categoryId: undefined,
  throttleKeyHasLetters: true,
}
const createKnownFor = (...statuses: readonly string[]) => {
  const petPage = statuses.map((status, n) => ({ id: n, name: '', categoryId: 1, status }))
  return createKnown(
    buildTranscript('read', scriptEach(unfilteredPageStepIds, scriptJson(200, petPage))),
    givenFacts,
  )
}

describe('facts about a run', () => {
  it('have defaults when no pet is listed', () => {
    const { petId, categoryId, createdId, unshownStepIds } = createKnownFor()
    assert.deepEqual([petId, categoryId, createdId, unshownStepIds], [undefined, '1', undefined, []])
  })

  it('include a status that shows whether the filter works', () => {
    const findStatusFor = (...statuses: readonly string[]) => createKnownFor(...statuses).status
    assert.equal(findStatusFor('sold', 'sold', 'sold', 'pending', 'pending'), 'pending')
    assert.equal(findStatusFor('sold', 'sold', 'available'), 'available')
    assert.equal(findStatusFor('available', 'available'), 'pending')
    assert.equal(findStatusFor('sold', 'available', 'available'), 'available')
  })

  it('include the created pet with the largest category', () => {
    assert.equal(createKnown(buildTranscript('create'), givenFacts).createdId, '102')
    const rejectedKnown = createKnown(
      buildTranscript('create', { 'create-int64': scriptError(400) }),
      givenFacts,
    )
    assert.deepEqual([rejectedKnown.createdId, rejectedKnown.largeCategoryIsRejected], ['101', true])
  })
})
