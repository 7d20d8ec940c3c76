import { randomBytes } from 'node:crypto'
import type { ServiceOptions } from '../../../core/index.ts'
import { isUnavailable } from '../../../core/internal.ts'
import { explain } from '../errors.ts'
import type { Log, ThrottledLog } from '../log/log.ts'
import type { LoggedContext, LoggedResponse } from '../log/log-format.ts'
import type { Metrics } from './metrics/metrics.ts'

/** Options of the log lines of requests. */
export interface RequestLogOptions {
  /** Log a line for each request. */
  readonly requests: boolean
  /** Log successful requests of probes and browsers, which nobody reads: see `routinePaths`. */
  readonly health: boolean
  /** Add the client address to a line. */
  readonly addresses: boolean
}

/** The functions that a server calls to report its requests and failures. */
export interface ServiceHooks extends Pick<ServiceOptions, 'onResponse'> {
  readonly requestId: () => string
  readonly onError: (cause: unknown, context: LoggedContext) => void
  /** Logs the response of a page outside the base path. Undefined if no request is logged. */
  readonly onPage?: (response: LoggedResponse) => void
}

/** The pages that programs request by themselves, again and again. */
const routinePaths: readonly string[] = ['/healthz', '/readyz', '/metrics', '/favicon.ico']

/** Creates the hooks of a server, which write to its log and its metrics. */
export function createServiceHooks(
  { log, throttled }: { log: Log; throttled: ThrottledLog },
  metrics: Metrics | undefined,
  { requests: logsRequests, health, addresses }: RequestLogOptions,
): ServiceHooks {
  const write = logsRequests ? log.response : undefined
  const onPage =
    write &&
    ((response: LoggedResponse) => {
      const { operation = '', status } = response
      if (health || status >= 400 || !routinePaths.includes(operation)) write(response, addresses)
    })
  // No other process has these 72 random bits. A UUID for each request costs 5 % (listPets).
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
