// Runs the commands of a check, and the check itself.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** The root of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns how a system starts a command: on Windows, npm and npx are scripts, which only its shell runs. */
export function resolveCommand(command, args) {
  if (process.platform !== 'win32' || !/^np[mx]$/.test(command)) return [command, args, {}]
  return [[command, ...args].map((word) => `"${word}"`).join(' '), [], { shell: true }]
}

/** Runs a command to its end. Returns its stdout; throws an error with its whole output if it fails. */
export async function run(command, args, options) {
  return (await runCommand(command, args, options)).stdout
}

/** Runs a command like `run`, and returns both `stdout` and `stderr`. */
export async function runCommand(command, args, { env, ...more } = {}) {
  const [file, words, shell] = resolveCommand(command, args)
  const options = { timeout: 180_000, maxBuffer: 2 ** 26, ...more, env: { ...process.env, ...env }, ...shell }
  try {
    return await execute(file, words, options)
  } catch (error) {
    const { code, signal, stdout = '', stderr = '' } = error
    throw new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}:\n${stdout}${stderr}`, {
      cause: error,
    })
  }
}

/**
 * Runs a task with an empty folder, which is removed after it.
 *
 * @template T
 * @param {(folder: string) => Promise<T>} task
 */
export async function inFolder(task) {
  const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-check-'))
  try {
    return await task(folder)
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 3 })
  }
}

/** Runs a check in an empty folder. If it fails, prints why and makes the process exit with 1. */
export async function check(what, task) {
  try {
    await inFolder(task)
  } catch (error) {
    console.error(`${what} failed: ${error.message}`)
    process.exitCode = 1
  }
}

/** Runs files of tests, and prints their number. Throws if one fails, or is skipped and not `allowed` to be. */
export async function runTests(program, files, { flags = [], allowed, ...options }) {
  const args = ['--import', 'tsx', '--test', '--test-reporter', 'tap', ...flags, ...files]
  const lines = (await run(program, args, { cwd: root, ...options })).split('\n')
  const skipped = lines.filter((line) => /^ok .*# SKIP/.test(line) && !allowed?.test(line))
  if (skipped.length > 0) throw new Error(`these were skipped:\n${skipped.join('\n')}`)
  console.log(lines.filter((line) => /^# (?:tests|pass) /.test(line)).join('\n'))
}
