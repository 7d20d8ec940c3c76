import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { each, error, json, recorded, unfilteredPages } from '../testing/recorded.ts'
import { learn } from './known.ts'

const given = {
  marker: 'Testabcd',
  unknownId: '1',
  requestedId: '2',
  categoryId: undefined,
  throttleKeyHasLetters: true,
}
/** The values that are known after unfiltered pages of animals with these statuses. */
const learnt = (...statuses: readonly string[]) => {
  const page = statuses.map((status, n) => ({ id: n, name: '', categoryId: 1, status }))
  return learn(recorded('read', each(unfilteredPages, json(200, page))), given)
}

describe('the known values', () => {
  it('have no petId, and a guessed category, without a listed animal', () => {
    const { petId, categoryId, createdId, doubtfulPages } = learnt()
    assert.deepEqual([petId, categoryId, createdId, doubtfulPages], [undefined, '1', undefined, []])
  })

  it('have a status of two animals that is not the first in the list', () => {
    const of = (...statuses: readonly string[]) => learnt(...statuses).status
    assert.equal(of('sold', 'sold', 'sold', 'pending', 'pending'), 'pending')
    assert.equal(of('sold', 'sold', 'available'), 'available')
    assert.equal(of('available', 'available'), 'pending')
    assert.equal(of('sold', 'available', 'available'), 'available')
  })

  it('have the new animal with the large category if it was accepted', () => {
    assert.equal(learn(recorded('create'), given).createdId, '105')
    const rejected = learn(recorded('create', { 'create-int64': error(400) }), given)
    assert.deepEqual([rejected.createdId, rejected.largeIsRejected], ['101', true])
  })
})
