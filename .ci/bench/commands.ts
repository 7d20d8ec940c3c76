import { ablate } from './ablate/command.ts'
import type { Command } from './command.ts'
import { type Figure, printAll } from './figures.ts'
import { fleet } from './fleet/command.ts'
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
  parts: figures('single functions, in this process', async () => (await import('./parts.ts')).parts()),
  scale: figures('a million animals, 2,000 connections, latency at half load; ten minutes', async () =>
    (await import('./scale.ts')).scale(),
  ),
  runtimes: figures('the Fetch mount on Deno and Bun; ten minutes', async () =>
    (await import('./runtimes.ts')).runtimes(),
  ),
  sqlite: figures('the SQLite store compared with the memory store; two minutes', async () =>
    (await import('./sqlite.ts')).sqlite(),
  ),
  start: figures('the time until the standalone server listens', async () =>
    (await import('./start.ts')).start(),
  ),
  standalone,
  growth,
  fleet,
  ablate,
}
