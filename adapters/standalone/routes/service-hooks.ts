import { randomBytes } from 'node:crypto'
import type { ServiceOptions } from '../../../core/index.ts'
import { isUnavailable } from '../../../core/internal.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import type { LoggedResponse } from '../log/log-format.ts'
import type { ThrottledLog } from '../log/throttled-log.ts'
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
  log: Log,
  throttled: ThrottledLog,
  metrics: Metrics | undefined,
  options: RequestLogOptions,
): ServiceHooks {
  const logResponse = createResponseLog(log, options)
  return {
    requestId: createRequestIds(),
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

/** Returns ids that no other process has: a count after 72 random bits. With a UUID for each, a list takes a twentieth more. */
function createRequestIds(): () => string {
  const prefix = randomBytes(9).toString('base64url')
  let count = 0
  return () => `${prefix}-${++count}`
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
