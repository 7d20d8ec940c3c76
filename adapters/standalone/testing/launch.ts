import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { flagNames, flags } from '../cli/flags.ts'
import { Capture } from './capture.ts'
import { readBaseUrl, splitWords } from './program.ts'

/** The built program, which users start, and which starts in half the time of the source. */
export const main: string = fileURLToPath(
  new URL('../../../dist/adapters/standalone/main.js', import.meta.url),
)

/** The program, in a process of its own. */
export interface Launched {
  readonly child: ChildProcess
  readonly stdout: Capture
  readonly stderr: Capture
  /** Resolves after all output with the exit code, or with the signal that ended it. */
  readonly end: Promise<number | string>
}

export interface LaunchOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** An open file that receives its stdout instead of `Launched`. */
  readonly stdout?: number
  /** A command of the shell that runs before the program, such as `ulimit -n 96`. */
  readonly shell?: string
  /** The Node that runs it; by default the one that runs the tests. */
  readonly node?: string
}

/** Starts the program without the flags in the environment of the tests, and ends it with the test file. */
export function launch(commandLine: string, options: LaunchOptions = {}): Launched {
  const { env = {}, cwd = process.cwd(), stdout: output = 'pipe', shell, node = process.execPath } = options
  const cleared = Object.fromEntries(
    flagNames.flatMap((name) => (flags[name].env ? [[flags[name].env, '']] : [])),
  )
  const command = [node, main, ...splitWords(commandLine)]
  const [file = '', ...args] =
    shell === undefined ? command : ['/bin/sh', '-c', `${shell} && exec "$@"`, 'sh', ...command]
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...cleared, ...env },
    stdio: ['ignore', output, 'pipe'],
  })
  const [stdout, stderr] = [new Capture(), new Capture()]
  child.stdout?.pipe(stdout)
  child.stderr?.pipe(stderr)
  const end = once(child, 'close').then(([code, signal]) => code ?? signal)
  after(() => child.kill('SIGKILL'))
  return { child, stdout, stderr, end }
}

/** A server in a process of its own. */
export interface LaunchedServer extends Launched {
  /** Its base URL. */
  readonly base: string
}

/** Starts a server, and resolves once it listens. */
export async function launchServer(commandLine: string, options?: LaunchOptions): Promise<LaunchedServer> {
  const server = launch(commandLine, options)
  return { ...server, base: await readBaseUrl(server) }
}
