// Read when this module is loaded: the fake timers of a test runner, which replace both, must not stop a store.
const { setImmediate, setTimeout } = globalThis

/** Runs a task in the next turn of the event loop, after its sockets are read. Some platforms lack `setImmediate`. */
export function runNextTurn(task: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(task)
  else setTimeout(task, 0)
}

let current: Promise<void> | undefined

/**
 * Returns a promise of the end of this turn of the event loop. All callers of one turn share it, so requests that
 * arrive together take each step together, while its code is in the caches of the processor. Do not call it on Workers:
 * there, a request must not wait for the promise of another.
 */
export function endOfTurn(): Promise<void> {
  current ??= new Promise((resolve) => {
    runNextTurn(() => {
      current = undefined
      resolve()
    })
  })
  return current
}
