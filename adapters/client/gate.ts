import { numberOf, PetApiError, untilMs } from './responses.ts'
import type { PetClientOptions, RetryEvent } from './types.ts'
import { foreverMs, withTimeout } from './with-timeout.ts'

/** One request and its waits. */
export interface Call {
  readonly signal: AbortSignal | undefined
  /** How long it may still wait, in milliseconds. */
  leftMs: number
  /** How often it has waited. */
  waits: number
}

/** How many requests are under way at most, so that no burst has a hundredth 429, whatever the number of calls. */
const most = 50

/** Lets the requests of one client leave as the responses to them allow. Times are in milliseconds since the epoch. */
export class Gate {
  readonly #options: Required<PetClientOptions>
  /** The error of the last 429, and until when it lets nothing leave. */
  #rejection: PetApiError | undefined
  #closedUntil = 0
  /** With `pace`, until when nothing remains. */
  #heldUntil = 0
  /** How many requests may be under way, if it is not 0: then one may. */
  #room: number
  #underWay = 0
  /** Counts how often the room became smaller: a response to an earlier request does not make it larger. */
  #generation = 0
  #queue: { readonly signal: AbortSignal; readonly go: () => void }[] = []

  constructor(options: Required<PetClientOptions>) {
    this.#options = options
    this.#room = options.pace ? 1 : most
  }

  /** Waits until a request may be sent. Resolves with a pass for `leave`. */
  async enter(call: Call): Promise<number> {
    for (let waitedUntil = 0; ; ) {
      const now = this.#options.clock()
      const mayHold = this.#heldUntil - now <= call.leftMs // else the server decides
      const until = Math.max(this.#closedUntil, mayHold ? this.#heldUntil : 0)
      if (until > Math.max(now, waitedUntil)) {
        waitedUntil = until // a timer may end a millisecond early
        this.#wake() // another call, if this one was woken
        await this.wait(call, Math.ceil(until - now), this.#closedUntil > now ? this.#rejection : undefined)
      } else if (this.#free() <= 0) {
        await this.#turn(call)
      } else {
        this.#underWay++
        return this.#generation
      }
    }
  }

  /** Waits for so many milliseconds. Throws the cause if that is longer than the call may wait. */
  async wait(call: Call, waitMs: number, cause: unknown): Promise<void> {
    if (waitMs > call.leftMs) throw cause
    call.leftMs -= waitMs
    call.waits++
    const status = cause instanceof PetApiError ? cause.status : undefined
    tell<RetryEvent>(this.#options.onRetry, { attempt: call.waits, waitMs, status, cause })
    await withTimeout(foreverMs, call.signal, (signal) => this.#options.sleep(waitMs, signal))
  }

  /** Lets nothing leave for so long, and then one request at a time until a response shows that more may go. */
  close(rejection: PetApiError, ms: number): void {
    this.#rejection = rejection
    this.#closedUntil = Math.max(this.#closedUntil, this.#options.clock() + ms)
    this.#room = 0
    this.#generation++
    this.#wake(this.#queue.length)
  }

  /** Frees the place of a request. Its response, if there is one, shows how many may go. */
  leave(pass: number, response: Response | undefined): void {
    this.#underWay--
    if (response && response.status !== 429 && (this.#options.pace || this.#room < most))
      this.#follow(pass, response)
    this.#wake()
  }

  /** Without `X-RateLimit-Remaining`, a success makes room for all. */
  #follow(pass: number, { ok, headers }: Response): void {
    const shown = numberOf(headers, 'X-RateLimit-Remaining')
    const remaining = ok && Number.isNaN(shown) ? most : shown
    if (remaining < this.#room) this.#generation++
    else if (pass !== this.#generation || Number.isNaN(remaining)) return
    this.#room = Math.min(remaining, most)
    if (remaining > 0) return
    const now = this.#options.clock()
    this.#heldUntil = now + untilMs(numberOf(headers, 'X-RateLimit-Reset') * 1_000, headers, now) || 0
    this.#wake(this.#queue.length)
  }

  #free(): number {
    return Math.max(1, this.#room) - this.#underWay
  }

  /** Waits in the queue. That uses up the time of a call if responses are the reason, and not the number of calls. */
  async #turn(call: Call): Promise<void> {
    const isLimited = this.#options.pace || this.#room < most
    const since = this.#options.clock()
    const change = (signal: AbortSignal) => new Promise<void>((go) => this.#queue.push({ signal, go }))
    try {
      await withTimeout(isLimited ? Math.max(0, call.leftMs) : foreverMs, call.signal, change)
    } catch (cause) {
      throw call.signal?.aborted ? cause : (this.#rejection ?? cause)
    }
    if (isLimited) call.leftMs -= Math.max(0, this.#options.clock() - since)
  }

  /** Wakes the first of the queue. */
  #wake(count: number = this.#free()): void {
    this.#queue = this.#queue.filter(({ signal }) => !signal.aborted)
    for (const { go } of this.#queue.splice(0, Math.max(0, count))) go()
  }
}

/** Calls a hook. What it throws or rejects with changes nothing. */
export function tell<Event>(hook: (event: Event) => unknown, event: Event): void {
  const call = async () => hook(event)
  call().catch(() => {})
}
