import { ApiError, Misuse } from '../http/errors.ts'
import type { Result } from '../http/result.ts'
import { parseTraceId } from '../http/traceparent.ts'
import type { Decision } from '../limits/bucket.ts'
import type { ResponseEvent } from './events.ts'
import type { ServiceSettings } from './options.ts'
import type { RequestState } from './request-state.ts'

/** The hooks of the embedder, called so that their failures never reach a client. */
export interface Hooks {
  /** Returns the next request id; undefined without the hook. */
  nextRequestId(): string | undefined
  /** Passes the event of a response to `onResponse`. */
  notify(state: RequestState, result: Result, decision: Decision): void
  /** Passes the cause of a 500 or 503, or of a failed hook, to `onError`; without it, warns of mistakes. */
  report(cause: unknown, state?: RequestState): void
}

/** Printable ASCII: every platform accepts it in a header. */
const headerValue = /^[ -~]+$/

/** Wraps the hooks among the options. */
export function createHooks({ basePath, onResponse, onError, requestId }: ServiceSettings): Hooks {
  const warnOnce = createWarnOnce()

  function report(cause: unknown, state?: RequestState): void {
    const context = {
      requestId: state?.requestId,
      operation: state?.route?.operation?.id,
      caller: state?.caller?.id,
    }
    // A failure of `onError` itself cannot be reported.
    callHook(
      () => (onError ? onError(cause, context) : warnOnce(cause)),
      () => {},
    )
  }

  return {
    nextRequestId: () =>
      requestId &&
      callHook(() => {
        const id: unknown = requestId()
        if (typeof id === 'string' && headerValue.test(id)) return id
        catchLate(id, report) // of a hook that is async by mistake
        throw new TypeError('options.requestId must return a text of printable ASCII')
      }, report),
    notify(state, result, decision) {
      if (onResponse) callHook(() => onResponse(createEvent(state, result, decision, basePath)), report)
    },
    report,
  }
}

/** Calls a hook. Passes its exception, or later its rejection, to `recover`. */
function callHook<T>(hook: () => T, recover: (cause: unknown) => void): T | undefined {
  try {
    const result = hook()
    catchLate(result, recover)
    return result
  } catch (cause) {
    recover(cause)
    return undefined
  }
}

/** Passes the rejection of an asynchronous hook, which nothing awaits, to `recover`. */
function catchLate(result: unknown, recover: (cause: unknown) => void): void {
  if (result instanceof Promise) result.catch(recover)
}

function createEvent(
  { request, route, caller, requestId, startedAt, address }: RequestState,
  result: Result,
  decision: Decision,
  basePath: string,
): ResponseEvent {
  return {
    operation: route?.operation?.id,
    route: route?.path === undefined ? undefined : basePath + route.path,
    method: request.method || undefined,
    status: result.status,
    code: result instanceof ApiError ? result.code : undefined,
    durationMs: performance.now() - startedAt,
    caller: caller?.id,
    client: address,
    decision,
    requestId,
    traceId: parseTraceId(request.header('traceparent')),
  }
}

/** Creates a function that warns of each mistake of the embedder once, with a process warning or on the console. */
function createWarnOnce(): (cause: unknown) => void {
  const warned = new Set<string>()
  return (cause) => {
    if (!(cause instanceof Misuse) || warned.has(cause.message)) return
    warned.add(cause.message)
    const { process } = globalThis as { process?: { emitWarning?(text: string): void } } // Node, Deno and Bun have it
    const warn = process?.emitWarning ?? console.warn
    warn(`pet-adoption-service: ${cause.message}`)
  }
}
