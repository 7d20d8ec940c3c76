import { randomBytes } from 'node:crypto'
import type { ServiceOptions } from '../../../core/index.ts'
import { isUnavailableError } from '../../../core/internal.ts'
import { explain } from '../errors.ts'
import type { Log, ThrottledLog } from '../log/log.ts'
import type { LoggedContext, LoggedResponse } from '../log/log-format.ts'
import type { Metrics } from './metrics/metrics.ts'

/** What to log about requests. */
export interface RequestLogOptions {
  /** Log a line per request. */
  readonly requests: boolean
  /** Log successful requests for the paths that monitoring and browsers request, see `routinePaths`. */
  readonly health: boolean
  /** Log client addresses. */
  readonly addresses: boolean
}

/** Hooks that write the log and the metrics. */
export interface ServiceHooks extends Pick<ServiceOptions, 'onResponse'> {
  readonly requestId: () => string
  readonly onError: (cause: unknown, context: LoggedContext) => void
  /** Called with each response outside the base path. `undefined` if requests are not logged. */
  readonly onPageResponse?: (response: LoggedResponse) => void
}

/** Paths that monitoring and browsers request on their own. */
const routinePaths: readonly string[] = ['/healthz', '/readyz', '/metrics', '/favicon.ico']

/** Creates a server's hooks. */
export function createServiceHooks(
  { log, throttled }: { log: Log; throttled: ThrottledLog },
  metrics: Metrics | undefined,
  { requests: logsRequests, health, addresses }: RequestLogOptions,
): ServiceHooks {
  const write = logsRequests ? log.response : undefined
  const onPageResponse =
    write &&
    ((response: LoggedResponse) => {
      const { operation = '', status } = response
      if (health || status >= 400 || !routinePaths.includes(operation)) write(response, addresses)
    })
  // A batch has 256 ids with 96 random bits each. A UUID per request costs 5 % (listPets), and a counter would reveal
  // the number of requests.
  let ids = ''
  let used = 0
  return {
    requestId() {
      if (used === ids.length) {
        ids = randomBytes(3_072).toString('base64url')
        used = 0
      }
      used += 16
      return ids.slice(used - 16, used)
    },
    ...(onPageResponse && { onPageResponse }),
    ...((metrics || write) && {
      onResponse(event) {
        metrics?.recordResponse(event)
        write?.(event, addresses)
      },
    }),
    onError(cause, context) {
      metrics?.recordFailure(cause)
      if (isUnavailableError(cause)) throttled.error('unavailable', explain(cause, false), context)
      else log.error('failure', explain(cause, true), context)
    },
  }
}
