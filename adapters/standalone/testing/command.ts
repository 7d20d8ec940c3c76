import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { lacks } from '../../testing/machine.ts'
import { type Launched, launch } from './launch.ts'
import { type Running, type StartOptions, start } from './program.ts'

/** Runs a command that must succeed. Returns its output. */
export async function run(commandLine: string | readonly string[], options?: StartOptions): Promise<string> {
  const { stdout, stderr, exitCode } = start(commandLine, options)
  assert.equal(await exitCode, 0, stderr.text)
  assert.equal(stderr.text, '')
  return stdout.text
}

/** Runs a command with `--json`. The caller knows the shape of its output. */
export async function runJson<T>(commandLine: string, options?: StartOptions): Promise<T> {
  return JSON.parse(await run(`${commandLine} --json`, options))
}

/** Runs a command, or starts a server, which must fail without output. Returns its exit code and message. */
export async function fail(
  commandLine: string | readonly string[],
  options?: StartOptions,
): Promise<readonly [exitCode: number, message: string]> {
  const { stdout, stderr, exitCode } = start(commandLine, options)
  const listens = stdout.until(/\blistening\b/).then(
    () => assert.fail('the server listens'),
    () => exitCode,
  )
  const code = await Promise.race([exitCode, listens])
  assert.equal(stdout.text, '')
  return [code, stderr.text.replace('pet-adoption-service: ', '').trimEnd()]
}

/** The end of a server after SIGTERM: 0, or on Windows, which has no signals, the signal. */
export const stopped: number | string = lacks.signals ? 'SIGTERM' : 0

/** Stops servers, in this process or in ones of their own, which must end with 0. */
export async function stop(
  ...servers: readonly (Pick<Running, 'events' | 'exitCode'> | Pick<Launched, 'child' | 'end'>)[]
): Promise<void> {
  for (const server of servers)
    if ('child' in server) server.child.kill('SIGTERM')
    else server.events.emit('SIGTERM')
  for (const server of servers)
    if ('child' in server) assert.equal(await server.end, stopped)
    else assert.equal(await server.exitCode, 0)
}

/**
 * Runs a command, and kills it after `killMs` if that is given. Resolves with its output if that was complete, which
 * acknowledges what the command has done.
 */
export async function runUntil(commandLine: string, killMs?: number): Promise<string | undefined> {
  const { child, stdout, stderr, end } = launch(commandLine)
  if (killMs !== undefined)
    void setTimeout(killMs, undefined, { ref: false }).then(() => child.kill('SIGKILL'))
  const ended = await end
  if (ended !== 'SIGKILL') assert.equal(ended, 0, stderr.text)
  return stdout.text.endsWith('\n') ? stdout.text : undefined
}

/** The output of `keys issue` and `keys rotate` with `--json`. */
export interface IssuedKey {
  readonly id: string
  readonly plan: string
  readonly key: string
  readonly sha256: string
  readonly expiresAt?: string
}
