import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Caller } from '../keys/auth.ts'
import { plans, readPlans } from '../limits/plans.ts'
import { openapi } from '../openapi.ts'
import { keyHeaders, serve } from '../testing/serve.ts'
import { readRemaining } from '../testing/service-request.ts'

describe('options.plans', () => {
  it('uses the default limits for plans that are not given', () => {
    const freePlan = { minute: 5, day: 50 }
    const customPlans = { free: freePlan, anonymous: { minute: 1, day: 2 } }
    for (const [given, changed] of [
      [undefined, { anonymous: plans.free }],
      [{ pro: undefined } as object, { anonymous: plans.free }],
      [{ free: freePlan }, { free: freePlan, anonymous: freePlan }],
      [customPlans, customPlans],
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
    it(`rejects ${JSON.stringify(given)}`, () => {
      const options = { plans: given as object } // invalid input, on purpose
      const isExpectedError = (error: Error) =>
        error instanceof TypeError && error.message.includes(`options.plans${message}`)
      for (const make of [serve, openapi]) assert.throws(() => make(options), isExpectedError)
    })

  it('is copied, so later changes have no effect', async () => {
    const anonymousLimits = { minute: 100_000_000, day: 100_000_000 }
    const { send } = serve({ plans: { anonymous: anonymousLimits } })
    anonymousLimits.minute = 3
    assert.equal(readRemaining(await send()), '99999999')
  })
})

const ownLimits = { minute: 9, day: 90 }
describe("a caller's limit", () => {
  for (const [caller, limit] of [
    [{ plan: 'pro' }, '7'],
    [{ plan: 'business' }, '1000'],
    [{ plan: 'pro', limits: ownLimits }, '9'],
    [{ plan: 'enterprise', limits: ownLimits }, '9'],
    [{ plan: 'enterprise' }, undefined],
    [{ plan: 'gold' }, undefined],
  ] as const) {
    const expectedLimit = limit ?? 'an error'
    it(`is ${expectedLimit} for ${JSON.stringify(caller)}`, async () => {
      const keys = { find: () => ({ id: 'x', ...caller }) as Caller } // invalid input, on purpose
      const { send, causes } = serve({ keys, plans: { pro: { minute: 7, day: 70 } } })
      const { status, headers } = await send({ headers: keyHeaders })
      if (limit) assert.equal(headers.get('x-ratelimit-limit'), limit)
      else
        assert.match(`${status} ${causes}`, /^500 TypeError: the caller "x" needs limits: \{ minute, day \}/)
    })
  }
})
