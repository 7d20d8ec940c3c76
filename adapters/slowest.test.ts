import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRandom } from './testing/fuzz/random.ts'
import { places } from './testing/slowest/places.ts'
import { randomShape, textOf } from './testing/slowest/shape.ts'
import { findSlowest } from './testing/slowest.ts'

it('the longest text of a shape fills its place, as far as its unit fits', () => {
  const random = createRandom(1)
  for (const place of places) {
    const lengths = Array.from({ length: 200 }, () =>
      Buffer.byteLength(textOf(randomShape(random, place), place.maxBytes)),
    )
    assert.equal(Math.max(...lengths), place.maxBytes, place.name)
  }
})

it('the slowest request of each place is reported with the time that it took', async () => {
  let rounds = 2
  const slowest = await findSlowest(1, () => rounds-- > 0)
  assert.deepEqual(slowest.map(({ place }) => place.name).sort(), places.map(({ name }) => name).sort())
  for (const { ms } of slowest) assert.ok(ms > 0)
})
