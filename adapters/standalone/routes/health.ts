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
}

/**
 * Creates the pages of the health checks. `/healthz` returns 200 while the process runs, `/readyz` while animals can be read
 * and stored, the limiter responds and the server is not stopping. The checks of both parts end soon, and the storage shares
 * its own between requests.
 */
export function healthPages({ checkStorage, limiter, isStopping, log }: HealthOptions): Pages {
  /** Creations that cannot work make the server not ready, though reads may work: another server may be able to. */
  async function requireStorage(): Promise<void> {
    const { readFailure, writeFailure } = await checkStorage()
    const failure = readFailure ?? writeFailure
    if (failure !== undefined) throw failure
  }

  /** Resolves with the name of a part that fails. */
  async function failing(name: string, check: () => unknown): Promise<readonly string[]> {
    try {
      await check()
      return []
    } catch (cause) {
      log.warning('not-ready', `the ${name} is not available: ${explain(cause, false)}`)
      return [name]
    }
  }

  return {
    '/healthz': ok,
    async '/readyz'() {
      if (isStopping()) return unavailable('the server is stopping')
      const checks = [
        failing('store', requireStorage),
        failing('rate limiter', () => limiter.peek('address:readyz', limits)),
      ]
      const names = (await Promise.all(checks)).flat()
      if (names.length === 0) return ok()
      return unavailable(`the ${names.join(' and the ')} ${names.length === 1 ? 'is' : 'are'} not available`)
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
