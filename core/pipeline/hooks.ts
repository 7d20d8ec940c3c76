import { attempt } from '../base/maybe-promise.ts'
import { Misuse } from '../http/errors.ts'
import type { ResponseEvent } from './events.ts'
import type { Exchange } from './exchange.ts'
import type { ServiceSettings } from './options.ts'

/** The hooks of the embedder, called so that their failures never reach a client. */
export interface Hooks {
  /** Whether there is a hook that receives a `ResponseEvent`. */
  readonly notifies: boolean
  /** Returns the next request id; undefined if there is none. */
  nextRequestId(): string | undefined
  /** Passes an event to `onResponse`. */
  notify(event: ResponseEvent): void
  /** Passes the cause of a 500 or 503, or of a failed hook, to `onError`; without it, warns of mistakes. */
  report(cause: unknown, exchange?: Exchange): void
}

/** Printable ASCII: every platform accepts it in a header. */
const headerValue = /^[ -~]+$/

/** Wraps the hooks among the options. */
export function createHooks({ onResponse, onError, requestId }: ServiceSettings): Hooks {
  function report(cause: unknown, exchange?: Exchange): void {
    const context = {
      requestId: exchange?.requestId,
      operation: exchange?.route?.operation?.id,
      caller: exchange?.caller?.id,
    }
    // A failure of `onError` itself cannot be reported.
    void attempt(
      () => (onError ? onError(cause, context) : warnOfMisuse(cause)),
      () => {},
    )
  }

  const reportAlone = (cause: unknown) => report(cause)

  return {
    notifies: onResponse !== undefined,
    nextRequestId() {
      try {
        const id = requestId?.()
        if (id === undefined || headerValue.test(id)) return id
        throw new TypeError('options.requestId must return ASCII')
      } catch (cause) {
        report(cause)
        return undefined
      }
    },
    notify(event) {
      if (onResponse) void attempt(onResponse, reportAlone, event)
    },
    report,
  }
}

/** The mistakes that were told. */
const told = new Set<string>()

/** Tells a mistake of the embedder once, by a warning of the process, or on the console where there is none. */
export function warnOfMisuse(cause: unknown): void {
  if (!(cause instanceof Misuse)) return
  const text = `pet-adoption-service: ${cause.message}`
  if (told.has(text)) return
  told.add(text)
  const { process } = globalThis as { process?: { emitWarning?(text: string): void } } // Node, Deno and Bun have it
  const warn = process?.emitWarning ?? console.warn
  warn(text)
}
