/** What a limiter decides about one request. */
export interface LimiterDecision {
  readonly limit: number
  readonly remaining: number
  /** When the limit resets, as a Unix time in milliseconds. */
  readonly resetAt: number
  /** Time until the next request is allowed, or 0 if this one is. */
  readonly waitMs: number
}

/** Counts a request. `now` is a Unix time in milliseconds. */
export type Limiter = (caller: string, now: number) => LimiterDecision

export const minuteMs = 60_000
export const dayMs = 86_400_000

export function createFixedWindow(limit: number, span: number): Limiter {
  const windows = new Map<string, { start: number; used: number }>()
  return (caller, now) => {
    const windowStart = now - (now % span)
    const lastWindow = windows.get(caller)
    const window = lastWindow?.start === windowStart ? lastWindow : { start: windowStart, used: 0 }
    windows.set(caller, window)
    const resetAt = windowStart + span
    if (window.used >= limit) return { limit, remaining: 0, resetAt, waitMs: resetAt - now }
    window.used += 1
    return { limit, remaining: limit - window.used, resetAt, waitMs: 0 }
  }
}

/** Limits the requests in the time `span` before each request. The limit resets when the last request is older than `span`. */
export function createSlidingLog(limit: number, span: number): Limiter {
  const requestTimesByCaller = new Map<string, number[]>()
  return (caller, now) => {
    const requestTimes = (requestTimesByCaller.get(caller) ?? []).filter((at) => at > now - span)
    requestTimesByCaller.set(caller, requestTimes)
    const waitMs = requestTimes.length < limit ? 0 : (requestTimes[0] ?? now) + span - now
    if (waitMs === 0) requestTimes.push(now)
    return {
      limit,
      remaining: limit - requestTimes.length,
      resetAt: (requestTimes.at(-1) ?? now) + span,
      waitMs,
    }
  }
}

/** Limits requests with a token bucket, which refills evenly. The limit resets when the bucket is full. */
export function createTokenBucket(limit: number, span: number): Limiter {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (caller, now) => {
    const lastState = buckets.get(caller) ?? { tokens: limit, at: now }
    const tokens = Math.min(limit, lastState.tokens + ((now - lastState.at) * limit) / span)
    const waitMs = tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * span) / limit)
    const remainingTokens = waitMs === 0 ? tokens - 1 : tokens
    buckets.set(caller, { tokens: remainingTokens, at: now })
    return {
      limit,
      remaining: Math.floor(remainingTokens),
      resetAt: now + ((limit - remainingTokens) * span) / limit,
      waitMs,
    }
  }
}

/** Shows a limit but never applies it. */
export function createIdleLimiter(limit: number, span: number): Limiter {
  return (_, now) => ({ limit, remaining: limit, resetAt: now + span, waitMs: 0 })
}

/** Applies several limits, and shows the one that `show` selects. */
export function combineLimiters(
  limiters: readonly Limiter[],
  show: (standings: readonly LimiterDecision[]) => LimiterDecision | undefined,
): Limiter {
  return (caller, now) => {
    const decisions = limiters.map((limiter) => limiter(caller, now))
    const longestWait = decisions.reduce((a, b) => (b.waitMs > a.waitMs ? b : a))
    return longestWait.waitMs > 0 ? longestWait : (show(decisions) ?? longestWait)
  }
}
