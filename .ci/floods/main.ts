import { violationsOf } from './bounds.ts'
import { type FloodName, floods } from './floods.ts'
import { measure } from './measure.ts'
import { help, type Options, readOptions } from './options.ts'
import { header, row } from './print.ts'

/** Runs the floods one after the other. Resolves with the exit code. */
async function runFloods({ floods: names, runtime, seconds }: Options): Promise<number> {
  process.stdout.write(
    `${runtime.kind}: ${runtime.program}, ${seconds} s a flood; memory in MiB, times in ms\n`,
  )
  process.stdout.write(`${header}\n`)
  const broken: FloodName[] = []
  for (const name of names) {
    progress(`${name}: ${floods[name].title}`)
    const measured = await measure(name, runtime, seconds)
    const violations = violationsOf(measured)
    if (violations.length > 0) broken.push(name)
    progress('')
    process.stdout.write(`${row(measured, violations)}\n`)
  }
  if (broken.length === 0) return 0
  process.stdout.write(`broken: ${broken.join(', ')}\n`)
  return 1
}

/** Shows the current flood on a terminal. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
try {
  const options = readOptions(process.argv.slice(2))
  if (options) process.exitCode = await runFloods(options)
  else process.stdout.write(help)
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
  process.exitCode = 2
}
