import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { flagNames, flags } from '../cli/flags.ts'
import { Capture } from './capture.ts'

/** As built, which is what its users start, and starts in half the time of its source. */
const main = fileURLToPath(new URL('../../../dist/adapters/standalone/main.js', import.meta.url))

/** The program, in a process of its own. */
export interface Launched {
  readonly child: ChildProcess
  readonly stdout: Capture
  readonly stderr: Capture
  /** The exit code, once all output is there; the signal where one killed it. */
  readonly end: Promise<number | string>
}

/** Starts it without the flags that the environment of the tests may hold, and ends it with the test file at the latest. */
export function launch(
  commandLine: string,
  options: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Launched {
  const { env = {}, cwd = process.cwd() } = options
  const cleared = Object.fromEntries(
    flagNames.flatMap((name) => (flags[name].env ? [[flags[name].env, '']] : [])),
  )
  const child = spawn(process.execPath, [main, ...commandLine.split(' ')], {
    cwd,
    env: { ...process.env, ...cleared, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = [new Capture(), new Capture()]
  child.stdout.pipe(stdout)
  child.stderr.pipe(stderr)
  const end = once(child, 'close').then(([code, signal]) => code ?? signal)
  after(() => child.kill('SIGKILL'))
  return { child, stdout, stderr, end }
}
