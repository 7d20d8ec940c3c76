/** The clock of a run: measures and waits. */
export interface Clock {
  /** Returns Unix milliseconds, which never decrease within a run. */
  now(): number
  /**
   * Resolves after a delay in milliseconds.
   *
   * @param reason What the run waits for, for a display of its progress.
   * @param signal Ends the wait, so that no timer is left.
   */
  sleep(ms: number, reason?: string, signal?: AbortSignal): Promise<void>
}

/** The real clock. It does not go back when the system's clock is set back. */
export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, _reason, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(end, ms)
      function end(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      signal?.addEventListener('abort', end)
      if (signal?.aborted) end()
    }),
}

/** Returns a clock whose waits end as soon as a signal is aborted, also on a clock that ignores signals. */
export function interruptible(clock: Clock, signal: AbortSignal | undefined): Clock {
  if (signal === undefined) return clock
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  return {
    now: () => clock.now(),
    sleep: async (ms, reason) =>
      signal.aborted ? undefined : Promise.race([aborted, clock.sleep(ms, reason, signal)]),
  }
}
