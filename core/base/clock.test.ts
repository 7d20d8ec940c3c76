import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createKeyStore, createMemoryLimiter } from '../index.ts'
import { keyed, serve } from '../testing/serve.ts'

for (const clock of [() => Number.NaN, () => undefined, () => new Date(), new Date(), null, 5]) {
  it(`a clock that is ${clock} is a TypeError when it is given`, () => {
    const options = { clock: clock as () => number }
    for (const make of [
      () => serve(options),
      () => createMemoryLimiter(options),
      () => createKeyStore([], options),
    ])
      assert.throws(make, { name: 'TypeError', message: /^options\.clock must return milliseconds/ })
  })
}

it('a clock that fails later is a 500 with numbers, and onError receives the cause', async () => {
  const { ask, pass, causes } = serve()
  pass(Number.NaN)
  assert.equal((await ask({ headers: keyed })).status, 500)
  assert.match(String(causes[0]), /options\.clock/)
})
