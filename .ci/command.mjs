// Runs commands, temporary folders and checks for the scripts of this folder.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** The repository's root. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a command and returns what it printed. */
export async function run(command, args, options) {
  return (await runCommand(command, args, options)).stdout
}

/**
 * Runs a command for at most 3 minutes.
 *
 * @throws Error with the command's output if it fails
 */
export async function runCommand(command, args, { env, ...more } = {}) {
  const options = { timeout: 180_000, maxBuffer: 2 ** 26, ...more, env: { ...process.env, ...env } }
  try {
    return await execute(command, args, options)
  } catch (error) {
    const { code, signal, stdout = '', stderr = '' } = error
    throw new Error(`${command} ${args.join(' ')} exited with ${signal ?? code}:\n${stdout}${stderr}`, {
      cause: error,
    })
  }
}

/**
 * Runs a task in a new temporary folder, which is removed afterwards.
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

/** Runs npm without its notices, for at most 400 s. It asks the registry only for what its cache lacks. */
export function runNpm(cwd, ...args) {
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error']
  return run('npm', [...args, ...flags], { cwd, timeout: 400_000 })
}

/** Writes files by their paths below a folder. */
export function writeFiles(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Runs an asynchronous task for each item, two at a time. */
export async function forEachInPairs(items, task) {
  const queue = items.values()
  const work = async () => {
    for (const item of queue) await task(item)
  }
  await Promise.all([work(), work()])
}

/** Runs a check in a temporary folder. If it fails, prints the reason and sets the exit code to 1. */
export async function check(what, task) {
  try {
    await inFolder(task)
  } catch (error) {
    console.error(`${what} failed: ${error.message}`)
    process.exitCode = 1
  }
}
