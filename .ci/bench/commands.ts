import type { Command } from './command.ts'
import { type Figure, printAll } from './figures.ts'
import { growth } from './growth/command.ts'
import { peers } from './peers.ts'
import { standalone } from './standalone/command.ts'

/** A subject without flags, which prints figures with their targets. */
function figures(title: string, load: () => Promise<AsyncIterable<Figure>>): Command {
  return {
    title,
    read(args) {
      if (args.length > 0) throw new Error(`This subject has no flags, so not ${args.join(' ')}`)
      return async () => printAll(await load())
    },
  }
}

/** The subjects of a measurement. What measures is loaded on demand, because it may import the build that `prepare` makes. */
export const commands: Readonly<Record<string, Command>> = {
  peers,
  runtimes: figures('the Fetch mount on Deno and Bun; ten minutes', async () =>
    (await import('./runtimes.ts')).runtimes(),
  ),
  standalone,
  growth,
}
