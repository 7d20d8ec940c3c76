import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRandom } from './testing/fuzz/random.ts'
import { type Place, places } from './testing/slowest/places.ts'
import { search } from './testing/slowest/search.ts'
import { type Shape, textOf } from './testing/slowest/shape.ts'
import { findSlowest } from './testing/slowest.ts'

const query = places.filter(({ name }) => name === 'query')

it('the search for the slowest request finds a shape that is slow to parse', async () => {
  const cost = (place: Place, shape: Shape) =>
    Promise.resolve(textOf(shape, place.maxBytes).split('%&').length)
  let rounds = 40
  const [found] = (await search(query, createRandom(1), cost, () => rounds-- > 0)).values()
  assert.ok(found?.[0] && found[0].ms > 5_000, `${found?.[0]?.ms} of at most 8,192`)
})

it('every shape fills its place exactly', async () => {
  const lengths = new Map<string, number>()
  const measure = (place: Place, shape: Shape) => {
    const length = Buffer.byteLength(textOf(shape, place.maxBytes))
    assert.ok(length <= place.maxBytes)
    lengths.set(place.name, Math.max(length, lengths.get(place.name) ?? 0))
    return Promise.resolve(0)
  }
  let rounds = 20
  await search(places, createRandom(1), measure, () => rounds-- > 0)
  for (const { name, maxBytes } of places) assert.equal(lengths.get(name), maxBytes, name)
})

it('the slowest request of each place is reported with the time that it took', async () => {
  let rounds = 1
  const slowest = await findSlowest(1, () => rounds-- > 0)
  assert.deepEqual(slowest.map(({ place }) => place.name).sort(), places.map(({ name }) => name).sort())
  for (const { ms } of slowest) assert.ok(ms > 0)
})
