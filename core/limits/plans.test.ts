import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Caller } from '../keys/auth.ts'
import { plans, readPlans } from '../limits/plans.ts'
import { openapi } from '../openapi.ts'
import { keyed, serve } from '../testing/serve.ts'
import { readRemaining } from '../testing/service-request.ts'

describe('the option plans', () => {
  it('changes the given plans, also in the description', () => {
    const free = { minute: 5, day: 50 }
    const both = { free, anonymous: { minute: 1, day: 2 } }
    for (const [given, changed] of [
      [undefined, { anonymous: plans.free }],
      [{ pro: undefined } as object, { anonymous: plans.free }],
      [{ free }, { free, anonymous: free }],
      [both, both],
    ] as const) {
      assert.deepEqual(readPlans(given), { ...plans, ...changed })
      assert.deepEqual(openapi(given && { plans: given })['x-rateLimits'], readPlans(given))
    }
  })

  for (const [given, message] of [
    [{ gold: { minute: 1, day: 1 } }, '.gold"; expected one of free, pro, business, anonymous'],
    [{ enterprise: { minute: 1, day: 1 } }, '.enterprise"; expected one of'],
    ...[60, null, { minute: 1 }, { minute: 1.5, day: 1 }].map((pro) => [{ pro }, '.pro must be'] as const),
    [{ business: { minute: 1, day: 100_000_001 } }, '.business must be'],
    [{ anonymous: { minute: 1, day: 1, hour: 1 } }, '.anonymous must be'],
    ...[5, null, []].map((given) => [given, ' must be'] as const),
  ] as const)
    it(`names the invalid place of ${JSON.stringify(given)}`, () => {
      const options = { plans: given as object } // what an embedder without types may give
      const expected = (error: Error) =>
        error instanceof TypeError && error.message.includes(`options.plans${message}`)
      for (const make of [serve, openapi]) assert.throws(() => make(options), expected)
    })

  it('accepts 100,000,000 requests, and is read once', async () => {
    const anonymous = { minute: 100_000_000, day: 100_000_000 }
    const { ask } = serve({ plans: { anonymous } })
    anonymous.minute = 3
    assert.equal(readRemaining(await ask()), '99999999')
  })
})

const own = { minute: 9, day: 90 }
describe('the plan of a caller', () => {
  for (const [caller, limit] of [
    [{ plan: 'pro' }, '7'],
    [{ plan: 'business' }, '1000'],
    [{ plan: 'pro', limits: own }, '9'],
    [{ plan: 'enterprise', limits: own }, '9'],
    [{ plan: 'enterprise' }, undefined],
    [{ plan: 'gold' }, undefined],
  ] as const) {
    const expected = limit ?? 'a 500'
    it(`is ${expected} for ${JSON.stringify(caller)}`, async () => {
      const keys = { find: () => ({ id: 'x', ...caller }) as Caller } // what a database may hold
      const { ask, causes } = serve({ keys, plans: { pro: { minute: 7, day: 70 } } })
      const { status, headers } = await ask({ headers: keyed })
      if (limit) assert.equal(headers.get('x-ratelimit-limit'), limit)
      else
        assert.match(`${status} ${causes}`, /^500 TypeError: the caller "x" needs limits: \{ minute, day \}/)
    })
  }
})
