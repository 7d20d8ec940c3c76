import { randomUUID } from 'node:crypto'
import type { ServiceOptions } from '../../../core/index.ts'
import { isUnavailable } from '../../../core/internal.ts'
import { explain } from '../errors.ts'
import { healthPaths } from '../routes/health.ts'
import type { Metrics } from '../routes/metrics/metrics.ts'
import type { Log } from './log.ts'
import type { LoggedResponse } from './log-format.ts'
import type { ThrottledLog } from './throttled-log.ts'

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
  log: Log,
  throttled: ThrottledLog,
  metrics: Metrics | undefined,
  options: RequestLogOptions,
): ServiceHooks {
  const logResponse = createResponseLog(log, options)
  return {
    requestId: () => randomUUID(),
    ...(logResponse && { onPage: logResponse }),
    ...((metrics || logResponse) && {
      onResponse(event) {
        metrics?.recordResponse(event)
        logResponse?.(event)
      },
    }),
    onError(cause, context) {
      metrics?.recordFailure(cause)
      if (isUnavailable(cause)) throttled.error('unavailable', explain(cause, false), context)
      else log.error('failure', explain(cause, true), context)
    },
  }
}

/** Returns undefined for a silent log. */
function createResponseLog(
  { response: write }: Log,
  { addresses, health }: RequestLogOptions,
): ((response: LoggedResponse) => void) | undefined {
  if (!write) return undefined
  return (response) => {
    const { operation = '', status } = response
    if (!health && status < 400 && healthPaths.includes(operation)) return
    write(response, addresses)
  }
}
