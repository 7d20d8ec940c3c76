import { ApiError, type ServiceResponse } from '../../../core/index.ts'
import type { Backend } from '../../backend/index.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { createErrorResponse, type Pages } from './extra-routes.ts'

/** Server parts that the health checks use. The log throttles repeated warnings. */
export interface CheckedParts {
  readonly store: Pick<Backend, 'check'>
  readonly throttled: Pick<Log, 'warning'>
}

/**
 * Creates the health checks. `/healthz` returns 200 while the process runs. `/readyz` returns 503 while the server
 * stops or the store cannot be read.
 *
 * `/readyz` ignores a read-only store and an unavailable rate limiter. All servers share them, and a proxy would take
 * every server out of rotation.
 */
export function createHealthPages({ store, throttled }: CheckedParts, isStopping: () => boolean): Pages {
  return {
    '/healthz': () => okResponse,
    async '/readyz'() {
      if (isStopping()) return createUnavailableResponse('the server is stopping')
      const { reads } = await store.check()
      if (!reads) return okResponse
      throttled.warning('not-ready', `the store is unavailable: ${explain(reads, false)}`)
      return createUnavailableResponse('the store is unavailable')
    },
  }
}

const okResponse: ServiceResponse = {
  status: 200,
  rawHeaders: ['Content-Type', 'application/json', 'Cache-Control', 'no-store'],
  body: '{"status":"ok"}',
}

function createUnavailableResponse(reason: string): ServiceResponse {
  return createErrorResponse(
    new ApiError('service_unavailable', `Not ready: ${reason}.`, ['Retry-After', '5']),
  )
}
