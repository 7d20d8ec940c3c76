import { createCallLimit } from '../backend/index.ts'
import { runInNextTurn } from '../event-loop/index.ts'

/** A batch's results, in the order of its items. */
export type BatchResults<Result> = Promise<readonly (Result | Promise<Result>)[]>

interface Batch<Item, Result> {
  readonly items: Item[]
  readonly results: BatchResults<Result>
}

/** Maximum number of items per batch. */
const maxBatchSize = 500

/**
 * Returns a function that adds an item to a batch and returns its result. Items with the same name share a batch if
 * they are added in the same event loop turn, or while the batch waits for others in flight.
 *
 * @param send - Sends a batch and returns its results.
 * @param maxInFlight - Maximum number of batches in flight, unlimited by default.
 */
export function createBatcher<Item, Result>(
  send: (name: string, items: readonly Item[]) => BatchResults<Result>,
  maxInFlight: number = Number.POSITIVE_INFINITY,
): (name: string, item: Item) => Promise<Result> {
  const open = new Map<string, Batch<Item, Result>>()
  const limit = createCallLimit(maxInFlight)

  async function sendInNextTurn(name: string, items: readonly Item[]): BatchResults<Result> {
    await new Promise<void>(runInNextTurn)
    return limit.run(() => {
      if (open.get(name)?.items === items) open.delete(name) // a full batch was already replaced
      return send(name, items)
    })
  }

  return async (name, item) => {
    let batch = open.get(name)
    if (!batch || batch.items.length >= maxBatchSize) {
      const items: Item[] = []
      batch = { items, results: sendInNextTurn(name, items) }
      open.set(name, batch)
    }
    const index = batch.items.push(item) - 1
    return (await batch.results)[index] as Result // `send` returns a result for each item
  }
}
