import { ApiError, type ServiceResponse } from '../../../core/index.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import type { OpenStorage } from '../storage/open-storage.ts'
import { createErrorResponse, type Pages } from './extra-routes.ts'

/** The parts that the health checks read. The log throttles repeated warnings. */
export interface CheckedParts {
  readonly storage: Pick<OpenStorage, 'check'>
  readonly throttled: Pick<Log, 'warning'>
}

/**
 * Creates the pages of the health checks. `/healthz` returns 200 while the process runs. `/readyz` returns 503 while
 * the server is stopping or animals cannot be read. A read-only storage or a missing rate limiter leaves it at 200:
 * all servers share them, and a proxy would take all servers out of rotation together.
 */
export function createHealthPages({ storage, throttled }: CheckedParts, isStopping: () => boolean): Pages {
  return {
    '/healthz': () => ok,
    async '/readyz'() {
      if (isStopping()) return unavailable('the server is stopping')
      const { readFailure } = await storage.check()
      if (readFailure === undefined) return ok
      throttled.warning('not-ready', `the store is not available: ${explain(readFailure, false)}`)
      return unavailable('the store is not available')
    },
  }
}

const ok: ServiceResponse = {
  status: 200,
  rawHeaders: ['Content-Type', 'application/json', 'Cache-Control', 'no-store'],
  body: '{"status":"ok"}',
}

function unavailable(reason: string): ServiceResponse {
  return createErrorResponse(
    new ApiError('service_unavailable', `Not ready: ${reason}.`, ['Retry-After', '5']),
  )
}
