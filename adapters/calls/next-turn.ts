// Bound when it is loaded: the fake timers of a test runner, which replace both, must not stop a store.
const { setImmediate, setTimeout } = globalThis

/** Runs a task in the next turn of the event loop, once its sockets are read. Some platforms lack `setImmediate`. */
export function runNextTurn(task: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(task)
  else setTimeout(task, 0)
}
