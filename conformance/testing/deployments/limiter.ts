/** The state of a caller after a request. */
export interface LimiterDecision {
  readonly limit: number
  readonly remaining: number
  /** The time the limit resets, in Unix milliseconds. */
  readonly reset: number
  /** The time that the caller has to wait, in milliseconds; 0 if the request was admitted. */
  readonly wait: number
}

/** Charges a caller for one request. */
export type Limiter = (caller: string, now: number) => LimiterDecision

export const minute = 60_000
export const day = 86_400_000

/** Fixed windows, aligned to the clock: at most `limit` requests in each span of milliseconds. */
export function fixedWindow(limit: number, span: number): Limiter {
  const windows = new Map<string, { start: number; used: number }>()
  return (caller, now) => {
    const start = now - (now % span)
    const last = windows.get(caller)
    const window = last?.start === start ? last : { start, used: 0 }
    windows.set(caller, window)
    const reset = start + span
    if (window.used >= limit) return { limit, remaining: 0, reset, wait: reset - now }
    window.used += 1
    return { limit, remaining: limit - window.used, reset, wait: 0 }
  }
}

/** A sliding log: each request counts until its span has passed. */
export function slidingLog(limit: number, span: number): Limiter {
  const logs = new Map<string, number[]>()
  return (caller, now) => {
    const log = (logs.get(caller) ?? []).filter((at) => at > now - span)
    logs.set(caller, log)
    const wait = log.length < limit ? 0 : (log[0] ?? now) + span - now
    if (wait === 0) log.push(now)
    return {
      limit,
      remaining: limit - log.length,
      reset: (log.at(-1) ?? now) + span,
      wait,
    }
  }
}

/** A token bucket: `limit` tokens that refill evenly over a span. It resets when it is full again. */
export function tokenBucket(limit: number, span: number): Limiter {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (caller, now) => {
    const last = buckets.get(caller) ?? { tokens: limit, at: now }
    const tokens = Math.min(limit, last.tokens + ((now - last.at) * limit) / span)
    const wait = tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * span) / limit)
    const left = wait === 0 ? tokens - 1 : tokens
    buckets.set(caller, { tokens: left, at: now })
    return {
      limit,
      remaining: Math.floor(left),
      reset: now + ((limit - left) * span) / limit,
      wait,
    }
  }
}

/** A limit that the headers show and that is never applied. */
export function neverApplied(limit: number, span: number): Limiter {
  return (_, now) => ({ limit, remaining: limit, reset: now + span, wait: 0 })
}

/**
 * Several limits, charged together. `show` chooses the one whose numbers an admitted request shows; a rejected request
 * shows the one with the longest wait.
 */
export function together(
  limiters: readonly Limiter[],
  show: (standings: readonly LimiterDecision[]) => LimiterDecision | undefined,
): Limiter {
  return (caller, now) => {
    const standings = limiters.map((limiter) => limiter(caller, now))
    const longest = standings.reduce((a, b) => (b.wait > a.wait ? b : a))
    return longest.wait > 0 ? longest : (show(standings) ?? longest)
  }
}
