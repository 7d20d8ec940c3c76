import { help, readOptions } from './options.ts'
import { prepare } from './prepare.ts'
import { circumstances, isReached, markdownTable, prettyTable } from './print.ts'
import { summarize } from './results.ts'
import { measure } from './rounds.ts'

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (!options) {
    process.stdout.write(`${help}\n`)
    return 0
  }
  prepare()
  const samples = await measure(options, ({ round, scenario, side, rate }) => {
    process.stderr.write(
      `round ${round + 1} of ${options.rounds}  ${scenario.padEnd(9)}  ${side.padEnd(7)}  ${Math.round(rate)}/s\n`,
    )
  })
  const results = summarize(options, samples)
  process.stdout.write(`${options.markdown ? markdownTable(options, results) : prettyTable(results)}\n\n`)
  process.stdout.write(`${circumstances(options)}\n`)
  return results.every(isReached) ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
  process.exitCode = 2
}
