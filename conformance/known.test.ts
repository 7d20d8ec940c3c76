import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learn } from './known.ts'
import {
  type Animal,
  animals,
  each,
  json,
  recorded,
  type Script,
  unfilteredPages,
} from './testing/recorded.ts'

const given = { marker: 'Trial abcdef', unknownId: '1', requestedId: '2', categoryId: undefined }
const unfiltered = (...all: readonly Partial<Animal>[]): Script =>
  each(
    unfilteredPages,
    json(
      200,
      all.map((one, n) => ({ id: n, name: '', categoryId: 1, ...one })),
    ),
  )
const learnt = (script: Script) => learn(recorded('read', script), given)

test('without a listed animal no petId is known, and the category is a guess', () => {
  const { petId, categoryId, createdId, missingId } = learnt(unfiltered())
  assert.deepEqual([petId, categoryId, createdId, missingId], [undefined, '1', undefined, undefined])
})

test('the category is the smallest that a listed animal has', () => {
  assert.equal(
    learnt(unfiltered({ categoryId: 900 }, { categoryId: -3 }, { categoryId: 40 })).categoryId,
    '-3',
  )
})

test('a category that is given is used before a listed one', () => {
  assert.equal(learn(recorded('read'), { ...given, categoryId: '77' }).categoryId, '77')
})

test('the requested animal is one whose numbers a double cannot represent, if one is listed', () => {
  const body = '[{"id":1,"name":"","categoryId":1},{"id":99,"name":"","categoryId":9007199254740993}]'
  assert.equal(learnt({ 'list-100': { body } }).petId, '99')
})

test('the small filtered page has a status of two animals that is not the first in the list', () => {
  const of = (...statuses: readonly string[]) =>
    learnt(unfiltered(...statuses.map((status) => ({ status })))).status
  assert.equal(of('sold', 'sold', 'sold', 'pending', 'pending'), 'pending')
  assert.equal(of('sold', 'sold', 'available'), 'sold')
  assert.equal(of('sold', 'available', 'available'), 'available')
})

test('a new animal that a complete page of its status does not show is missing', () => {
  const shown = json(
    200,
    animals.filter(({ status }) => status === 'pending'),
  )
  const transcript = recorded('create', { 'list-pending-100': shown })
  assert.equal(learn(transcript, given).missingId, '102')
  assert.equal(learn(recorded('create'), given).missingId, undefined)
})
