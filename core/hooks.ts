import type { ResponseEvent } from './events.ts'
import type { Exchange } from './exchange.ts'
import { attempt } from './maybe-promise.ts'
import type { Settings } from './options.ts'

/** The embedder's functions, called so that a failure of theirs never becomes a client's. */
export interface Hooks {
  /** Whether anything asks for a `ResponseEvent`. */
  readonly wantsResponses: boolean
  /** The next request id; undefined where there are none. */
  nextRequestId(): string | undefined
  notify(event: ResponseEvent): void
  /** Hands the cause of a 500 or 503, or of a failed hook, to `onError`. */
  report(cause: unknown, exchange?: Exchange): void
}

/** Wraps the hooks among the options. */
export function createHooks({ onResponse, onError, requestId }: Settings): Hooks {
  function report(cause: unknown, exchange?: Exchange): void {
    const context = {
      requestId: exchange?.requestId,
      operation: exchange?.route?.operation?.id,
      caller: exchange?.caller?.id,
    }
    void attempt(() => onError(cause, context), ignore, undefined)
  }

  return {
    wantsResponses: onResponse !== undefined,
    nextRequestId() {
      try {
        return requestId?.()
      } catch (cause) {
        report(cause)
        return undefined
      }
    },
    notify(event) {
      if (onResponse) void attempt(onResponse, (cause) => report(cause), event)
    },
    report,
  }
}

/** An `onError` that fails has nobody else to be reported to. */
function ignore(): void {}
