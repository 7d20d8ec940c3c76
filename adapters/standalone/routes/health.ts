import { ApiError, type ServiceResponse } from '../../../core/index.ts'
import { explain, failureOf } from '../errors.ts'
import { type OpenLimiter, readyzLimits } from '../limiter/limiter.ts'
import type { Log } from '../log/log.ts'
import type { OpenStorage } from '../storage/open-storage.ts'
import { errorResponse, type Pages } from './extra-routes.ts'

/** The paths of the health checks. */
export const healthPaths: readonly string[] = ['/healthz', '/readyz']

/** The parts that the health checks ask. The log throttles repeated warnings. */
export interface CheckedParts {
  readonly storage: Pick<OpenStorage, 'check'>
  readonly limiter: Pick<OpenLimiter, 'limiter'>
  readonly throttled: Pick<Log, 'warning'>
}

/**
 * Creates the pages of the health checks. `/healthz` returns 200 while the process runs, `/readyz` while animals can be
 * read and stored, the limiter responds and the server is not stopping. The checks of both parts end soon, and the
 * storage shares its own between requests.
 */
export function healthPages(
  { storage, limiter: { limiter }, throttled }: CheckedParts,
  isStopping: () => boolean,
): Pages {
  return {
    '/healthz': () => ok,
    async '/readyz'() {
      if (isStopping()) return unavailable('the server is stopping')
      const { readFailure, writeFailure } = await storage.check()
      // Creations that cannot work make it not ready, though reads may work: another server may be able to.
      const failures = {
        store: readFailure ?? writeFailure,
        'rate limiter': await failureOf(() => limiter.peek('address:readyz', readyzLimits)),
      }
      const failing = Object.entries(failures).filter(([, cause]) => cause !== undefined)
      if (failing.length === 0) return ok
      for (const [name, cause] of failing)
        throttled.warning('not-ready', `the ${name} is not available: ${explain(cause, false)}`)
      const names = failing.map(([name]) => name).join(' and the ')
      return unavailable(`the ${names} ${failing.length === 1 ? 'is' : 'are'} not available`)
    },
  }
}

const ok: ServiceResponse = {
  status: 200,
  rawHeaders: ['Content-Type', 'application/json', 'Cache-Control', 'no-store'],
  body: '{"status":"ok"}',
}

function unavailable(reason: string): ServiceResponse {
  return errorResponse(new ApiError('service_unavailable', `Not ready: ${reason}.`, ['Retry-After', '5']))
}
