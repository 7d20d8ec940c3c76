/** Calls a function at the end of the turn of the event loop, where the platform can wait for it, else at once. */
export const atEndOfTurn: (call: () => void) => void =
  typeof setImmediate === 'function' ? (call) => void setImmediate(call) : (call) => call()
