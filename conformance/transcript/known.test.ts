import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Animal,
  animals,
  each,
  error,
  json,
  recorded,
  type Script,
  unfilteredPages,
} from '../testing/recorded.ts'
import { learn } from './known.ts'

const given = {
  marker: 'Testabcd',
  unknownId: '1',
  requestedId: '2',
  categoryId: undefined,
  throttleKeyHasLetters: true,
}
const unfiltered = (...all: readonly Partial<Animal>[]): Script => {
  const page = all.map((one, n) => ({ id: n, name: '', categoryId: 1, ...one }))
  return each(unfilteredPages, json(200, page))
}
const learnt = (script: Script) => learn(recorded('read', script), given)

describe('the known values', () => {
  it('have no petId, and a guessed category, without a listed animal', () => {
    const { petId, categoryId, createdId, doubtfulPages } = learnt(unfiltered())
    assert.deepEqual([petId, categoryId, createdId, doubtfulPages], [undefined, '1', undefined, []])
  })

  it('prefer an animal whose numbers a double cannot represent', () => {
    const body = '[{"id":1,"name":"","categoryId":1},{"id":99,"name":"","categoryId":9007199254740993}]'
    assert.equal(learnt({ 'list-100': { body } }).petId, '99')
  })

  it('have a status of two animals that is not the first in the list', () => {
    const of = (...statuses: readonly string[]) =>
      learnt(unfiltered(...statuses.map((status) => ({ status })))).status
    assert.equal(of('sold', 'sold', 'sold', 'pending', 'pending'), 'pending')
    assert.equal(of('sold', 'sold', 'available'), 'available')
    assert.equal(of('available', 'available'), 'pending')
    assert.equal(of('sold', 'available', 'available'), 'available')
  })

  it('exclude a new animal that a complete page lacks or shows differently', () => {
    const pending = animals.filter(({ status }) => status === 'pending')
    const shown = (...more: readonly Animal[]): Script => ({
      'list-pending-100': json(200, [...pending, ...more]),
    })
    const known = learn(recorded('create', shown()), given)
    assert.deepEqual([[...new Set(known.doubtfulPages)], known.createdId], [['pending'], '102'])
    const other = { id: 102, name: 'Testabcd Pen', categoryId: 1, status: 'pending' }
    assert.equal(learn(recorded('create', shown(other)), given).doubtfulPages[0], 'pending')
    assert.equal(learn(recorded('create'), given).doubtfulPages.length, 0)
  })

  it('have the new animal with the large category if it was accepted', () => {
    assert.equal(learn(recorded('create'), given).createdId, '105')
    const rejected = learn(recorded('create', { 'create-int64': error(400) }), given)
    assert.deepEqual([rejected.createdId, rejected.largeIsRejected], ['101', true])
  })
})
