import { randomBytes } from 'node:crypto'
import type { ServiceOptions } from '../../../core/index.ts'
import { isUnavailable } from '../../../core/internal.ts'
import { explain } from '../errors.ts'
import type { Log, ThrottledLog } from '../log/log.ts'
import type { LoggedResponse } from '../log/log-format.ts'
import { healthPaths } from './health.ts'
import type { Metrics } from './metrics/metrics.ts'

/** Which lines the log has for requests, and what is in them. */
export interface RequestLogOptions {
  /** Whether a line has the client address. */
  readonly addresses: boolean
  /** Whether successful health checks have a line. */
  readonly health: boolean
}

/** The functions through which a server reports its requests and failures. */
export interface ServiceHooks
  extends Required<Pick<ServiceOptions, 'onError'>>,
    Pick<ServiceOptions, 'onResponse'> {
  readonly requestId: () => string
  /** Logs the response of a page outside the base path. Undefined where the log is silent. */
  readonly onPage?: (response: LoggedResponse) => void
}

/** Creates the hooks of a server, which write to its log and its metrics. */
export function createServiceHooks(
  { log, throttled }: { log: Log; throttled: ThrottledLog },
  metrics: Metrics | undefined,
  { addresses, health }: RequestLogOptions,
): ServiceHooks {
  const { response: write } = log
  const onPage =
    write &&
    ((response: LoggedResponse) => {
      const { operation = '', status } = response
      if (health || status >= 400 || !healthPaths.includes(operation)) write(response, addresses)
    })
  // No other process has these 72 random bits. With a UUID for each request, a list takes a twentieth more.
  const prefix = randomBytes(9).toString('base64url')
  let requests = 0
  return {
    requestId: () => `${prefix}-${++requests}`,
    ...(onPage && { onPage }),
    ...((metrics || write) && {
      onResponse(event) {
        metrics?.recordResponse(event)
        write?.(event, addresses)
      },
    }),
    onError(cause, context) {
      metrics?.recordFailure(cause)
      if (isUnavailable(cause)) throttled.error('unavailable', explain(cause, false), context)
      else log.error('failure', explain(cause, true), context)
    },
  }
}
