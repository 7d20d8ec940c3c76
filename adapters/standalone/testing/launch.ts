import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { flagNames, flags } from '../cli/flags.ts'
import { Capture } from './capture.ts'
import { readBaseUrl, splitCommandLine } from './program.ts'

/** Path to the built program, which starts twice as fast as the source. */
export const mainFile: string = fileURLToPath(
  new URL('../../../dist/adapters/standalone/main.js', import.meta.url),
)

/** Arguments for Node in fault tests: an app that uses the library, or the program if `PET_ADOPTION_FAULTS=program`. */
export const faultProgram: readonly string[] =
  process.env.PET_ADOPTION_FAULTS === 'program'
    ? [mainFile]
    : ['--import', 'tsx/esm', fileURLToPath(new URL('../../testing/library-server.ts', import.meta.url))]

/** A program in a separate process. */
export interface LaunchedProgram {
  readonly child: ChildProcess
  readonly stdout: Capture
  readonly stderr: Capture
  /** Resolves with the exit code, or with the signal that killed the process. */
  readonly end: Promise<number | string>
}

export interface LaunchOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** File descriptor for the output, a pipe by default. */
  readonly stdout?: number
  /** Shell command that runs first, such as `ulimit -n 96`. */
  readonly shell?: string
  /** Path to Node, by default the one that runs the test. */
  readonly node?: string
  /** Arguments for Node, by default the built program. */
  readonly program?: readonly string[]
}

/** Starts the program without settings from the test's environment, and kills it after the test file. */
export function launch(commandLine: string, options: LaunchOptions = {}): LaunchedProgram {
  const { env = {}, cwd = process.cwd(), stdout: output = 'pipe', shell } = options
  const { node = process.execPath, program = [mainFile] } = options
  assert.ok(existsSync(program.at(-1) ?? ''), 'the program is not built; run "npm run build" first')
  const cleared = Object.fromEntries(
    flagNames.flatMap((name) => (flags[name].env ? [[flags[name].env, '']] : [])),
  )
  const command = [node, ...program, ...splitCommandLine(commandLine)]
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

/** A server in a separate process. */
export interface LaunchedServer extends LaunchedProgram {
  /** The API's URL. */
  readonly base: string
}

/** Launches a server and waits until it is listening. */
export async function launchServer(commandLine: string, options?: LaunchOptions): Promise<LaunchedServer> {
  const server = launch(commandLine, options)
  return { ...server, base: await readBaseUrl(server) }
}
