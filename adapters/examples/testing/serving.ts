import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { acceptsConnections, findFreePort } from '../../contracts/testing/free-port.ts'
import { Capture } from '../../standalone/testing/capture.ts'
import { root } from './parts.ts'

/**
 * A program and its arguments. `{port}` in an argument becomes the port to listen on, which is also in the variable
 * `PORT`.
 */
export type CommandLine = readonly [program: string, ...args: string[]]

export const nodeWithTypeScript: CommandLine = [process.execPath, '--import', import.meta.resolve('tsx/esm')]

/** Returns the command that runs an example on Deno, listening on the port in the variable `PORT`. */
export const createDenoCommand = (deno: string, example: string): CommandLine => {
  const preload = pathToFileURL(join(root, '.ci/on-port.mjs')).href
  return [deno, 'run', '--allow-net', '--allow-env', '--preload', preload, `adapters/examples/${example}.ts`]
}

interface StartOptions {
  /** Working directory, by default the repository's root. */
  readonly cwd?: string
  readonly port?: number
  /** Address on which the program listens, by default 127.0.0.1. */
  readonly host?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface RunningProgram {
  readonly origin: string
  readonly stdout: Capture
  readonly stderr: Capture
  /** Stops the program, and waits until it has exited. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * Starts a program, and waits until it accepts connections. Rejects if the program exits, or is not listening after 60
 * s.
 */
export async function startProgram(
  [program, ...args]: CommandLine,
  { cwd = root, port: givenPort, host = '127.0.0.1', env: added }: StartOptions = {},
): Promise<RunningProgram> {
  const port = givenPort ?? (await findFreePort())
  const withPort = args.map((arg) => arg.replace('{port}', String(port)))
  const env = { ...process.env, PORT: String(port), ...added }
  const child = spawn(program, withPort, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const stdout = child.stdout.pipe(new Capture())
  const stderr = child.stderr.pipe(new Capture())
  const ended = once(child, 'exit').catch((error: unknown) => error)
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  async function stop(signal?: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    await ended
  }
  for (const deadline = Date.now() + 60_000; !(await acceptsConnections(port, host)); await sleep(20)) {
    if (isRunning() && Date.now() < deadline) continue
    await stop('SIGKILL')
    throw new Error(`${program} did not start listening: ${stderr.text}`, { cause: await ended })
  }
  return { origin: `http://${host}:${port}`, stdout, stderr, stop }
}

/** Starts a program, and stops it after the test. */
export async function startForTest(
  t: { after(work: () => Promise<void>): void },
  command: CommandLine,
  options?: StartOptions,
): Promise<RunningProgram> {
  const program = await startProgram(command, options)
  t.after(() => program.stop())
  return program
}
