import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { missingFeatures } from '../../testing/machine.ts'
import { type LaunchedProgram, launch } from './launch.ts'
import { type RunningProgram, type StartOptions, start } from './program.ts'

/** Runs a command that must succeed without warnings, and returns its output. */
export async function run(commandLine: string | readonly string[], options?: StartOptions): Promise<string> {
  const { stdout, stderr, exitCode } = start(commandLine, options)
  assert.equal(await exitCode, 0, stderr.text)
  assert.equal(stderr.text, '')
  return stdout.text
}

/** Runs a command with `--json` and parses its output. */
export async function runJson<T>(commandLine: string, options?: StartOptions): Promise<T> {
  return JSON.parse(await run(`${commandLine} --json`, options))
}

/** Runs a command that must fail, and returns its exit code and message. */
export async function fail(
  commandLine: string | readonly string[],
  options?: StartOptions,
): Promise<readonly [exitCode: number, message: string]> {
  const { stdout, stderr, exitCode } = start(commandLine, options)
  const listens = stdout.until(/\blistening\b/).then(
    () => assert.fail('the server is listening'),
    () => exitCode,
  )
  const code = await Promise.race([exitCode, listens])
  assert.equal(stdout.text, '')
  return [code, stderr.text.replace('pet-adoption-service: ', '').trimEnd()]
}

/** A stopped server's exit code. On Windows, which has no signals, it is the signal's name. */
export const stoppedExitCode: number | string = missingFeatures.signals ? 'SIGTERM' : 0

/** Stops servers and checks their exit codes. */
export async function stop(
  ...servers: readonly (
    | Pick<RunningProgram, 'events' | 'exitCode'>
    | Pick<LaunchedProgram, 'child' | 'end'>
  )[]
): Promise<void> {
  for (const server of servers)
    if ('child' in server) server.child.kill('SIGTERM')
    else server.events.emit('SIGTERM')
  for (const server of servers)
    if ('child' in server) assert.equal(await server.end, stoppedExitCode)
    else assert.equal(await server.exitCode, 0)
}

/**
 * Runs a command in a separate process and kills it after `killMs` milliseconds. Returns the output, or `undefined` if
 * it is incomplete.
 */
export async function runUntil(commandLine: string, killMs?: number): Promise<string | undefined> {
  const { child, stdout, stderr, end } = launch(commandLine)
  if (killMs !== undefined)
    void setTimeout(killMs, undefined, { ref: false }).then(() => child.kill('SIGKILL'))
  const ended = await end
  if (ended !== 'SIGKILL') assert.equal(ended, 0, stderr.text)
  return stdout.text.endsWith('\n') ? stdout.text : undefined
}

/** What `keys issue --json` and `keys rotate --json` print. */
export interface IssuedKey {
  readonly id: string
  readonly plan: string
  readonly key: string
  readonly sha256: string
  readonly expiresAt?: string
}
