import { runNextTurn } from '../breaker/next-turn.ts'

/** A result for each item of a group, in their order. */
export type Results<Result> = Promise<readonly (Result | Promise<Result>)[]>

/** Lets calls that come at once share a statement. */
export interface Groups<Item, Result> {
  /** Joins the open group of a name, or opens one, and returns the result of the item. */
  join(name: string, item: Item): Promise<Result>
}

interface Group<Item, Result> {
  readonly items: Item[]
  readonly results: Results<Result>
}

/** The most items of a statement. */
const maxItems = 500

/**
 * Creates groups. What comes in one turn of the event loop is sent together, at its end. While statements wait for a
 * connection, a group stays open until one of those that were sent here has ended: all that is asked meanwhile gets an
 * answer that was read after the last question.
 *
 * @param send - Called once for a group, when it is closed.
 * @param isBusy - Returns whether statements wait for a connection; never, by default.
 */
export function createGroups<Item, Result>(
  send: (name: string, items: readonly Item[]) => Results<Result>,
  isBusy: () => boolean = () => false,
): Groups<Item, Result> {
  const open = new Map<string, Group<Item, Result>>()
  let underWay = 0
  const held: (() => void)[] = []

  async function sendLater(name: string, items: readonly Item[]): Results<Result> {
    await new Promise<void>(runNextTurn)
    if (underWay > 0 && isBusy()) await new Promise<void>((resolve) => held.push(resolve))
    if (open.get(name)?.items === items) open.delete(name)
    underWay++
    try {
      return await send(name, items)
    } finally {
      underWay--
      for (const resume of held.splice(0)) resume()
    }
  }

  return {
    async join(name, item) {
      let group = open.get(name)
      if (!group || group.items.length >= maxItems) {
        const items: Item[] = []
        group = { items, results: sendLater(name, items) }
        open.set(name, group)
      }
      const place = group.items.push(item) - 1
      return (await group.results)[place] as Result // there is one for each item
    },
  }
}
