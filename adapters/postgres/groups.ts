import { runNextTurn } from '../event-loop/index.ts'

/** A result for each item of a group, in the same order. */
export type Results<Result> = Promise<readonly (Result | Promise<Result>)[]>

interface Group<Item, Result> {
  readonly items: Item[]
  readonly results: Results<Result>
}

/** Maximum number of items of a statement. */
const maxItems = 500

/**
 * Lets calls share a statement. The calls of one turn of the event loop form a group, which is sent at the end of the
 * turn. Calls that come while a group waits join it.
 *
 * @param send - Called once per group, when it is closed.
 * @param maxInFlight - Maximum number of groups in flight; others wait, and stay open. Unlimited by default.
 * @returns A function that joins the open group of a name, or opens one, and returns the result of the item.
 */
export function createGroups<Item, Result>(
  send: (name: string, items: readonly Item[]) => Results<Result>,
  maxInFlight: number = Number.POSITIVE_INFINITY,
): (name: string, item: Item) => Promise<Result> {
  const open = new Map<string, Group<Item, Result>>()
  const waiting: (() => void)[] = []
  let inFlight = 0

  async function sendLater(name: string, items: readonly Item[]): Results<Result> {
    await new Promise<void>(runNextTurn)
    if (inFlight < maxInFlight) inFlight++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    if (open.get(name)?.items === items) open.delete(name) // unless a full group was replaced
    try {
      return await send(name, items)
    } finally {
      const next = waiting.shift()
      if (next)
        next() // takes this group's place in flight
      else inFlight--
    }
  }

  return async (name, item) => {
    let group = open.get(name)
    if (!group || group.items.length >= maxItems) {
      const items: Item[] = []
      group = { items, results: sendLater(name, items) }
      open.set(name, group)
    }
    const place = group.items.push(item) - 1
    return (await group.results)[place] as Result // there is one for each item
  }
}
