import type { BanPolicy, MaybePromise, RateLimiter } from '../../core/index.ts'
import { banningCases } from './rate-limiter/banning.ts'
import { createCaseClock } from './rate-limiter/cases.ts'
import { countingCases } from './rate-limiter/counting.ts'
import { lawCases } from './rate-limiter/laws.ts'
import { declareCases, type TestFunction, using } from './runner.ts'

/** How a case sets up its limiter. */
export interface LimiterSetup {
  /** Returns the time of the case in milliseconds since the epoch. It stands still between the steps of the case. */
  readonly clock: () => number
  /** When rejections become a ban; false for never. */
  readonly ban: BanPolicy | false
}

/** How `rateLimiterContract` is set up. */
export interface RateLimiterContractOptions<Limiter extends RateLimiter = RateLimiter> {
  /** The `test` of the test runner. */
  readonly test: TestFunction
  /** Creates a limiter without any counts. Called once for each case. */
  readonly createLimiter: (setup: LimiterSetup) => MaybePromise<Limiter>
  /** Called when a case is over, whether it passed or failed. */
  readonly closeLimiter?: (limiter: Limiter) => MaybePromise<void>
  /** What the limiter supports; all true by default. A case that requires more is skipped. */
  readonly capabilities?: {
    /** It uses the clock of the setup, and no other. */
    readonly clock?: boolean
    /** It bans by the policy of the setup, and uses its clock. */
    readonly bans?: boolean
  }
}

/**
 * Declares a test for each rule of a `RateLimiter` on which the service and its headers rely: exact counts, also when all
 * requests come at once; the exact meaning of `remaining`, `reset` and `waitMs`; clocks that step back; bans.
 *
 * @example
 * import { test } from 'node:test'
 * import { createMemoryLimiter } from 'pet-adoption-service'
 * import { rateLimiterContract } from 'pet-adoption-service/contracts'
 *
 * rateLimiterContract({ test, createLimiter: createMemoryLimiter })
 */
export function rateLimiterContract<Limiter extends RateLimiter>(
  options: RateLimiterContractOptions<Limiter>,
): void {
  const { test, createLimiter, closeLimiter, capabilities = {} } = options

  declareCases(
    test,
    [...countingCases, ...lawCases, ...banningCases],
    (need) => capabilities[need] === false && `options.capabilities.${need} is false`,
    ({ ban, run }) => {
      const clock = createCaseClock()
      return using(
        () => createLimiter({ clock: clock.now, ban: ban ?? false }),
        closeLimiter,
        (limiter) =>
          run({
            clock,
            consume: async (limits, key = 'key:a') => limiter.consume(key, limits),
            peek: async (limits, key = 'key:a') => limiter.peek(key, limits),
          }),
      )
    },
  )
}
