import { runNextTurn } from '../event-loop/index.ts'

/** A result for each item of a group, in their order. */
export type Results<Result> = Promise<readonly (Result | Promise<Result>)[]>

interface Group<Item, Result> {
  readonly items: Item[]
  readonly results: Results<Result>
}

/** The most items of a statement. */
const maxItems = 500

/**
 * Lets calls that come at once share a statement. What comes in one turn of the event loop is sent together, at its
 * end; what comes while a group waits joins it. Each result is read after the last call of its group came.
 *
 * @param send - Called once for a group, when it is closed.
 * @param maxUnderWay - How many may be under way; a further group waits, and stays open. Any number by default.
 * @returns a function that joins the open group of a name, or opens one, and returns the result of the item.
 */
export function createGroups<Item, Result>(
  send: (name: string, items: readonly Item[]) => Results<Result>,
  maxUnderWay: number = Number.POSITIVE_INFINITY,
): (name: string, item: Item) => Promise<Result> {
  const open = new Map<string, Group<Item, Result>>()
  const waiting: (() => void)[] = []
  let underWay = 0

  async function sendLater(name: string, items: readonly Item[]): Results<Result> {
    await new Promise<void>(runNextTurn)
    if (underWay < maxUnderWay) underWay++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    if (open.get(name)?.items === items) open.delete(name)
    try {
      return await send(name, items)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay--
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
