import { runNextTurn } from '../calls/next-turn.ts'

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

/** When a group waits before it is sent. */
export interface GroupOptions {
  /** Returns whether it waits until another statement has ended, of which so many are under way. Never, by default. */
  readonly isBusy?: (underWay: number) => boolean
  /** How long it waits at most, in milliseconds; for ever by default. */
  readonly longestMs?: number
}

/**
 * Creates groups. What comes in one turn of the event loop is sent together, at its end; what comes while a group waits joins
 * it. Each result is read after the last call of its group came.
 *
 * @param send - Called once for a group, when it is closed.
 */
export function createGroups<Item, Result>(
  send: (name: string, items: readonly Item[]) => Results<Result>,
  { isBusy = () => false, longestMs }: GroupOptions = {},
): Groups<Item, Result> {
  const open = new Map<string, Group<Item, Result>>()
  const waiting = new Set<() => void>()
  let underWay = 0

  /** Resolves when a statement has ended, or the time is over. Only where some are under way, so that one will end. */
  function turnOfWaiting(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer)
        waiting.delete(resume)
        resolve()
      }
      const timer = longestMs === undefined ? undefined : setTimeout(resume, deadline - performance.now())
      waiting.add(resume)
    })
  }

  async function sendLater(name: string, items: readonly Item[]): Results<Result> {
    await new Promise<void>(runNextTurn)
    const deadline = performance.now() + (longestMs ?? Number.POSITIVE_INFINITY)
    while (underWay > 0 && isBusy(underWay) && performance.now() < deadline) await turnOfWaiting(deadline)
    if (open.get(name)?.items === items) open.delete(name)
    underWay++
    try {
      return await send(name, items)
    } finally {
      underWay--
      for (const resume of waiting) resume()
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
