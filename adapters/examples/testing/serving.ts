import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { accepts, freePort } from '../../contracts/testing/free-port.ts'
import { Capture } from '../../standalone/testing/capture.ts'
import { root } from './parts.ts'

/** A command line. An argument `{port}` is replaced by the port, which the variable `PORT` has too. */
export type CommandLine = readonly [program: string, ...args: string[]]

export const nodeWithTypeScript: CommandLine = [process.execPath, '--import', import.meta.resolve('tsx/esm')]

/** Returns the command line of an example on Deno, which listens on the port of the variable `PORT`. */
export const onDeno = (deno: string, example: string): CommandLine => {
  const preload = pathToFileURL(join(root, '.ci/on-port.mjs')).href
  return [deno, 'run', '--allow-net', '--allow-env', '--preload', preload, `adapters/examples/${example}.ts`]
}

interface StartOptions {
  /** The working directory; the root of the project by default. */
  readonly cwd?: string
  readonly port?: number
  /** The address that it listens on; 127.0.0.1 by default. */
  readonly host?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Serving {
  readonly origin: string
  readonly stdout: Capture
  readonly stderr: Capture
  /** Ends the program, by default as an operator does. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/** Starts a program. Resolves when it accepts connections on its port; rejects if it does not within a minute. */
export async function startServing(
  [program, ...args]: CommandLine,
  { cwd = root, port: givenPort, host = '127.0.0.1', env: added }: StartOptions = {},
): Promise<Serving> {
  const port = givenPort ?? (await freePort())
  const withPort = args.map((arg) => arg.replace('{port}', String(port)))
  const env = { ...process.env, PORT: String(port), ...added }
  const child = spawn(program, withPort, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const stdout = child.stdout.pipe(new Capture())
  const stderr = child.stderr.pipe(new Capture())
  const ended = once(child, 'exit').catch((error: unknown) => error)
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  async function end(signal?: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    await ended
  }
  for (const deadline = Date.now() + 60_000; !(await accepts(port, host)); await sleep(20)) {
    if (isRunning() && Date.now() < deadline) continue
    await end('SIGKILL')
    throw new Error(`${program} does not listen: ${stderr.text}`, { cause: await ended })
  }
  return { origin: `http://${host}:${port}`, stdout, stderr, end }
}

/** Starts a program as `startServing` does, and ends it with the test. */
export async function serving(
  t: { after(work: () => Promise<void>): void },
  command: CommandLine,
  options?: StartOptions,
): Promise<Serving> {
  const program = await startServing(command, options)
  t.after(() => program.end())
  return program
}
