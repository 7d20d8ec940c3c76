import type { Writable } from 'node:stream'

/** Shows how many animals a command has handled. */
export interface Counter {
  readonly count: number
  add(count: number): void
  /** Removes the line. */
  end(): void
}

/** How many animals there are between two states of the line. */
const step = 10_000

/** Creates a counter that begins with a word such as `exported`. It appears on a terminal only. */
export function createCounter(output: Writable & { isTTY?: boolean }, word: string): Counter {
  let count = 0
  let shown = 0
  return {
    get count() {
      return count
    },
    add(more) {
      count += more
      if (!output.isTTY || count - shown < step) return
      shown = count
      output.write(`\r${word} ${count} animals`)
    },
    end() {
      if (shown > 0) output.write('\r\x1b[K')
    },
  }
}

/** Returns a number of animals in words, such as `1 animal` or `2 animals`. */
export function animalCount(count: number): string {
  return count === 1 ? '1 animal' : `${count} animals`
}
