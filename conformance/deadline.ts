/** A point in real time after which something has taken too long. */
export interface Deadline {
  /** Rejects at the deadline. */
  readonly passed: Promise<never>
  /** Throws past the deadline; for loops that leave no room for timers. */
  check(): void
  /** Lets the deadline lapse, so that it keeps no process alive. */
  clear(): void
}

/** Starts a deadline so many milliseconds from now. */
export function createDeadline(ms: number): Deadline {
  const late = new Error(`no complete response within ${ms} ms`)
  const end = performance.now() + ms
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), ms)
  })
  passed.catch(() => {})
  return {
    passed,
    check() {
      if (performance.now() > end) throw late
    },
    clear: () => clearTimeout(timer),
  }
}
