import { ApiError, plans, type RateLimiter, type ServiceResponse } from '../../../core/index.ts'
import { limitsOf } from '../../../core/internal.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import type { StorageHealth } from '../storage/open-storage.ts'
import { errorResponse, type Pages } from './extra-routes.ts'

/** Always the same list: the limiter calls Redis for its numbers at most once a second. */
const limits = limitsOf(plans.free)

/** The paths of the health checks. */
export const healthPaths: readonly string[] = ['/healthz', '/readyz']

export interface HealthOptions {
  /** Checks the storage, and may return the result of another check that is less than a second old. */
  readonly checkStorage: () => Promise<StorageHealth>
  readonly limiter: RateLimiter
  readonly isStopping: () => boolean
  readonly log: Pick<Log, 'warning'>
  /** How long the storage and the limiter may take to respond, in milliseconds; 2,000 by default. */
  readonly boundMs?: number
}

/**
 * Creates the pages of the health checks. `/healthz` returns 200 while the process runs, `/readyz` while animals can be read
 * and stored, the limiter responds and the server is not stopping.
 */
export function healthPages(options: HealthOptions): Pages {
  const { checkStorage, limiter, isStopping, log, boundMs = 2_000 } = options
  const parts: readonly (readonly [name: string, check: () => unknown])[] = [
    ['store', requireStorage],
    ['rate limiter', () => limiter.peek('address:readyz', limits)],
  ]

  /** Creations that cannot work make the server not ready, though reads may work: another server may be able to. */
  async function requireStorage(): Promise<void> {
    const { readFailure, writeFailure } = await checkStorage()
    const failure = readFailure ?? writeFailure
    if (failure !== undefined) throw failure
  }

  /** Resolves with the name of a part that fails. */
  async function checkPart([name, check]: (typeof parts)[number]): Promise<string | undefined> {
    try {
      await within(boundMs, check)
      return undefined
    } catch (cause) {
      log.warning('not-ready', `the ${name} is not available: ${explain(cause, false)}`)
      return name
    }
  }

  async function checkAll(): Promise<ServiceResponse> {
    const failing = (await Promise.all(parts.map(checkPart))).filter((name) => name !== undefined)
    return failing.length === 0
      ? ok()
      : unavailable(`the ${failing.join(' and the ')} ${failing.length === 1 ? 'is' : 'are'} not available`)
  }

  let checking: Promise<ServiceResponse> | undefined
  return {
    '/healthz': ok,
    '/readyz'() {
      if (isStopping()) return unavailable('the server is stopping')
      // Concurrent requests share one check: they have no limit, and must not become load on the store.
      checking ??= checkAll().finally(() => {
        checking = undefined
      })
      return checking
    },
  }
}

function ok(): ServiceResponse {
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-store'],
    body: '{"status":"ok"}',
  }
}

function unavailable(reason: string): ServiceResponse {
  return errorResponse(new ApiError('service_unavailable', `Not ready: ${reason}.`, ['Retry-After', '5']))
}

/** Rejects where `check` takes longer than `boundMs`. */
function within(boundMs: number, check: () => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no response within ${boundMs} ms`)), boundMs)
    new Promise((done) => done(check())).then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
