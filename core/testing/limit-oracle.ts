import type { Limit } from '../limits/bucket.ts'

/*
 * The meaning of a limit, in terms of the times of its admitted requests, oldest first: a bucket that drips and a window
 * opened by its first request. Slow, and without the state of a limiter.
 */

/** Whether one more request is admitted at `now`. */
export function admits(log: readonly number[], limit: Limit, now: number): boolean {
  return usedInWindow(log, limit, now) < limit.requests && hasDripped(log, limit, now)
}

/** How many requests in a row are admitted at `now`. */
export function remaining(log: readonly number[], limit: Limit, now: number): number {
  const more = [...log]
  while (admits(more, limit, now)) more.push(now)
  return more.length - log.length
}

/** Windows follow each other, each opened by the first request that the one before does not hold. */
function usedInWindow(log: readonly number[], { windowMs }: Limit, now: number): number {
  let start = Number.NEGATIVE_INFINITY
  let used = 0
  for (const time of log) {
    if (time < start + windowMs) used++
    else {
      start = time
      used = 1
    }
  }
  return now < start + windowMs ? used : 0
}

/** In every stretch that begins with a request there are at most N, and what has dripped since. */
function hasDripped(log: readonly number[], { requests, windowMs }: Limit, now: number): boolean {
  return log.every((time, i) => (log.length - i + 1 - requests) * windowMs <= (now - time) * requests)
}
