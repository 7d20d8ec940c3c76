/** A limit in real time on an operation. */
export interface Deadline {
  /** Rejects at the deadline. */
  readonly passed: Promise<never>
  /** Throws after the deadline; for loops in which no timer can fire. */
  check(): void
  /** Cancels the deadline, so that its timer does not keep the process running. */
  clear(): void
}

/** Starts a deadline that passes after a delay in milliseconds. */
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
