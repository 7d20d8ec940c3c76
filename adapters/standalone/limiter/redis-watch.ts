import type { FailingPart, RedisClient, Unavailability } from '../../redis.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { causeOf, type RedisCause } from './redis-problem.ts'
import type { RedisConnection } from './redis-server.ts'

/** What an operator watches of a limiter. */
export interface LimiterFigures {
  /** How requests are counted at the moment: shared with the other servers, or as `--redis-down` says. */
  readonly mode: 'shared' | Unavailability
  /** Whether Redis counts, and why it does not or does so for keys only; undefined without Redis. */
  readonly redis: { readonly isUp: boolean; readonly cause: RedisCause | undefined } | undefined
}

/** What is known about Redis, from its calls and from checks. */
export interface RedisWatch {
  /** Returns a client that takes note of the calls that fail. */
  client(connection: RedisConnection): RedisClient
  /** For `onFault` of the limiter. */
  failed(error: unknown, part: FailingPart): void
  /** For `onRecover` of the limiter. */
  recovered(part: FailingPart): void
  /** Records the result of a check: why a server does not count. */
  checked(problem: Error | undefined): void
  /** Warns where Redis does not count. The log is throttled: one line every ten seconds of an outage. */
  warnAgain(): void
  /** Whether calls fail, so far as is known. */
  readonly isFailing: boolean
  figures(): LimiterFigures
}

/** Creates a watch that has seen nothing. */
export function watchRedis(onUnavailable: Unavailability, log: Pick<Log, 'warning' | 'info'>): RedisWatch {
  /** The last error of each part since its calls began to fail. */
  const failures = new Map<FailingPart, unknown>()
  let problem: Error | undefined
  let wasUp = true

  const isUp = (): boolean => problem === undefined && !failures.has('redis')
  const causeNow = (): unknown => problem ?? failures.get('redis') ?? failures.get('memory')

  function note(error: unknown): void {
    if (failures.has('redis') && causeOf(error) !== 'memory') failures.set('redis', error)
  }

  function warnAgain(): void {
    const cause = causeNow()
    if (cause === undefined) return
    const subject = isUp()
      ? 'Redis has no memory for more client addresses, so their limits'
      : 'Redis is not available, so limits'
    log.warning('redis', `${subject} are ${meaning[onUnavailable]}: ${explain(cause, false)}`)
  }

  function report(): void {
    if (!isUp()) warnAgain()
    else if (!wasUp) log.info('redis', 'Redis is available again: limits are shared')
    wasUp = isUp()
  }

  return {
    client: ({ send, shardOf }) => ({
      async send(args, key) {
        try {
          return await send(args, key)
        } catch (error) {
          note(error)
          throw error
        }
      },
      shardOf,
    }),
    failed(error, part) {
      failures.set(part, error)
      if (part === 'memory') warnAgain()
      report()
    },
    recovered(part) {
      failures.delete(part)
      report()
      if (part === 'memory') log.info('redis', 'Redis has memory for client addresses again')
    },
    checked(found) {
      problem = found
      report()
    },
    warnAgain,
    get isFailing() {
      return failures.has('redis')
    },
    figures() {
      const cause = causeNow()
      return {
        mode: isUp() ? 'shared' : onUnavailable,
        redis: { isUp: isUp(), cause: cause === undefined ? undefined : causeOf(cause) },
      }
    },
  }
}

const meaning: Readonly<Record<Unavailability, string>> = {
  local: 'counted by each server alone',
  open: 'not counted',
  closed: 'unknown, and requests are rejected with 503',
}
