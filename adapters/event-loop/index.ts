// Read when the module is loaded, because a test runner's fake timers must not stop a store.
const { setImmediate = (task: () => void) => setTimeout(task, 0), setTimeout } = globalThis

/** Runs a task in the next event loop turn, after sockets are read. Some runtimes lack `setImmediate`. */
export const runInNextTurn: (task: () => void) => void = setImmediate

let endOfCurrentTurn: Promise<void> | undefined

/**
 * Resolves when this event loop turn ends. All callers in one turn share a promise, so requests that arrive together
 * are handled step by step together, which suits the processor's caches.
 *
 * Do not call this on Workers, where a request must not await a promise from another request.
 */
export function waitForEndOfTurn(): Promise<void> {
  endOfCurrentTurn ??= new Promise((resolve) => {
    runInNextTurn(() => {
      endOfCurrentTurn = undefined
      resolve()
    })
  })
  return endOfCurrentTurn
}
