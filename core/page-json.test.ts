import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageBody } from './page-json.ts'
import { type Pet, petsToJson } from './pet.ts'

const pets = (count: number, name = 'Rex 🐈'): readonly Pet[] =>
  Array.from({ length: count }, (_, i) => ({ id: BigInt(i + 1), name, categoryId: 1n }))

/** A page of one animal, and how often its name was read: once each time that its JSON is made. */
function watchedPage(name = 'Rex') {
  let reads = 0
  const pet = {
    id: 1n,
    categoryId: 1n,
    get name() {
      reads++
      return name
    },
  }
  return { page: [pet], reads: () => reads }
}

test('the body of a page is the JSON of the requested number of animals', () => {
  for (const page of [pets(3), Object.freeze(pets(3))]) {
    for (const limit of [1, 2, 3, 4, 2]) assert.equal(pageBody(page, limit), petsToJson(page.slice(0, limit)))
  }
})

test('the JSON of a frozen page is made once for a limit', () => {
  const { page, reads } = watchedPage()
  Object.freeze(page)
  for (let i = 0; i < 3; i++) pageBody(page, 2)
  assert.equal(reads(), 1)
  pageBody(page, 1)
  assert.equal(reads(), 2)
})

test('the JSON of a page that is not frozen is made each time', () => {
  const { page, reads } = watchedPage()
  for (let i = 0; i < 3; i++) pageBody(page, 2)
  assert.equal(reads(), 3)
})

test('the JSON of a long page is not cached', () => {
  const { page, reads } = watchedPage('x'.repeat(70_000))
  Object.freeze(page)
  for (let i = 0; i < 3; i++) pageBody(page, 2)
  assert.equal(reads(), 3)
})
