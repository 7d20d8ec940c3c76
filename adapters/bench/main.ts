import { type Figure, printAll } from './figures.ts'
import { help, type Options, readOptions, type Subject } from './options.ts'
import { prepare } from './prepare.ts'
import { environment, isReached, markdownTable, prettyTable } from './print.ts'
import { summarize } from './results.ts'
import { measure } from './rounds.ts'

/** Each module is loaded on demand, because some import the build that `prepare` makes. */
const figures: Readonly<Record<Exclude<Subject, 'peers'>, () => Promise<AsyncIterable<Figure>>>> = {
  parts: async () => (await import('./parts.ts')).parts(),
  scale: async () => (await import('./scale.ts')).scale(),
  runtimes: async () => (await import('./runtimes.ts')).runtimes(),
  sqlite: async () => (await import('./sqlite.ts')).sqlite(),
  start: async () => (await import('./start.ts')).start(),
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (!options) {
    process.stdout.write(`${help}\n`)
    return 0
  }
  prepare()
  return options.subject === 'peers'
    ? await comparePeers(options)
    : await printAll(await figures[options.subject]())
}

async function comparePeers(options: Options): Promise<number> {
  const samples = await measure(options, ({ round, scenario, side, rate }) => {
    process.stderr.write(
      `round ${round + 1} of ${options.rounds}  ${scenario.padEnd(9)}  ${side.padEnd(7)}  ${Math.round(rate)}/s\n`,
    )
  })
  const results = summarize(options, samples)
  process.stdout.write(`${options.markdown ? markdownTable(options, results) : prettyTable(results)}\n\n`)
  process.stdout.write(`${environment(options)}\n`)
  return results.every(isReached) ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
  process.exitCode = 2
}
