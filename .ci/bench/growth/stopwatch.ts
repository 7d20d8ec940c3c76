/** Runs an operation so many times. */
export type Batch = (times: number) => unknown

/** A batch is about as short as what the clock and a system call cost allow, so that some are not interrupted. */
const shortestMs = 2
const leastBatches = 15
const totalMs = 500

/**
 * Returns the microseconds of one run of an operation: those of the fastest batch. A cost that grows with the size shows in
 * every batch, and a disturbance of the machine does not.
 *
 * @param most The most runs of a batch, for an operation that changes what it measures; it has 15 batches.
 */
export async function microsOf(batch: Batch, most?: number): Promise<number> {
  let times = most ?? 8
  while (most === undefined && (await msOf(batch, times)) < shortestMs) times *= 2
  let fastest = Number.POSITIVE_INFINITY
  const end = performance.now() + totalMs
  for (let i = 0; i < leastBatches || (most === undefined && performance.now() < end); i++)
    fastest = Math.min(fastest, await msOf(batch, times))
  return (fastest * 1000) / times
}

async function msOf(batch: Batch, times: number): Promise<number> {
  const begin = performance.now()
  await batch(times)
  return performance.now() - begin
}

/** Returns a function that steps through the numbers below `count` in an order that defeats caches. */
export function stepsBelow(count: number): () => number {
  let at = 0
  return () => {
    at = (at + 7_368_787) % count
    return at
  }
}
