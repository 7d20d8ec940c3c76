import type { BanPolicy, MaybePromise, RateLimiter } from '../../core/index.ts'
import { banningCases } from './rate-limiter/banning.ts'
import { createBench, createCaseClock } from './rate-limiter/cases.ts'
import { countingCases } from './rate-limiter/counting.ts'
import { lawCases } from './rate-limiter/laws.ts'
import { declareCases, type TestFunction } from './runner.ts'

/** The setup that a case requires of its limiter. */
export interface LimiterSetup {
  /** Milliseconds since the epoch: the time of the case, which stands still between its steps. */
  readonly clock: () => number
  /** When refusals become a ban; false for never. */
  readonly ban: BanPolicy | false
}

/** Which limiter is tried, and with whose runner. */
export interface RateLimiterContractOptions<Limiter extends RateLimiter = RateLimiter> {
  /** The runner's. */
  readonly test: TestFunction
  /** Makes a limiter that knows no key yet. Each case takes one of its own. */
  readonly createLimiter: (setup: LimiterSetup) => MaybePromise<Limiter>
  /** Called when a case is over, however it ended. */
  readonly closeLimiter?: (limiter: Limiter) => MaybePromise<void>
  /** What the limiter can do, all true by default. A case that needs what it cannot do is skipped. */
  readonly capabilities?: {
    /** It goes by the clock of the setup, and not by one of its own. */
    readonly clock?: boolean
    /** It bans by the policy of the setup, and goes by its clock. */
    readonly bans?: boolean
  }
}

/**
 * Declares a test for each thing that the service, and what it tells its callers, relies on in a `RateLimiter`:
 * exact counts also when all come at once, the literal truth of remaining, reset and wait, clocks that step back, bans.
 */
export function rateLimiterContract<Limiter extends RateLimiter>(
  options: RateLimiterContractOptions<Limiter>,
): void {
  const { test, createLimiter, closeLimiter, capabilities = {} } = options

  for (const { ban = false, needs, ...one } of [...countingCases, ...lawCases, ...banningCases]) {
    const skipped =
      needs !== undefined && capabilities[needs] === false && `options.capabilities.${needs} is false`
    declareCases(test, [{ ...one, skipped }], async (work) => {
      const clock = createCaseClock()
      const limiter = await createLimiter({ clock: clock.now, ban })
      try {
        await work(createBench(limiter, clock))
      } finally {
        await closeLimiter?.(limiter)
      }
    })
  }
}
