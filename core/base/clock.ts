/**
 * Returns a clock that throws where the given one returns no finite number: with such a time, every limit would be off.
 *
 * @param clock Returns the milliseconds since the epoch; by default the time of the system, also under fake timers.
 * @throws {TypeError} It is no function, or returns no finite number now.
 */
export function readClock(clock: () => number = () => Date.now()): () => number {
  const read = () => {
    const now = typeof clock === 'function' && clock()
    if (Number.isFinite(now)) return Number(now)
    throw new TypeError('options.clock must return milliseconds since the epoch')
  }
  read()
  return read
}
