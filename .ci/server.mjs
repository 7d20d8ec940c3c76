// Starts the built standalone server for a check, with a new key, and runs the built conformance suite.
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root, run } from './command.mjs'

/** The built server. */
export const program = join(root, 'dist/adapters/standalone/main.js')
const suite = join(root, 'dist/conformance/main.js')

/** Returns a new API key. */
export const newKey = () => randomBytes(24).toString('base64url')

/**
 * Writes a keys file for the keys of these callers, and returns its path.
 *
 * @param {string} folder
 * @param {readonly (readonly [id: string, key: string, plan: object])[]} callers
 */
export function writeKeys(folder, callers) {
  const file = join(folder, 'keys.json')
  const sha256 = (key) => createHash('sha256').update(key).digest('hex')
  const keys = callers.map(([id, key, plan]) => ({ id, sha256: sha256(key), ...plan }))
  writeFileSync(file, JSON.stringify({ keys }), { mode: 0o600 })
  return file
}

/**
 * Starts a command that says where it listens. Resolves then; rejects if it ends before, or says nothing for a minute.
 * Its later output is discarded, so that its log never waits. It ends with this process.
 *
 * @param {readonly string[]} command
 * @param {{ env?: Readonly<Record<string, string>>, stdin?: 'pipe' }} options
 */
export async function launch([file = '', ...args], { env = {}, stdin = 'ignore' } = {}) {
  /** @type {import('node:child_process').ChildProcess} */
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: [stdin, 'pipe', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit').finally(() => process.off('exit', kill))
  const url = await announced(child)
  return {
    child,
    url,
    origin: new URL(url).origin,
    /** @param {NodeJS.Signals} [signal] */
    async stop(signal) {
      child.kill(signal)
      await ended
    },
  }
}

async function announced(child) {
  const late = setTimeout(() => child.kill('SIGKILL'), 60_000)
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, url] = /listening.*?(http:\/\/[^\s"]+)/.exec(line) ?? []
      if (url) return url
    }
  } finally {
    clearTimeout(late)
    child.stdout.resume()
  }
  throw new Error(`${child.spawnargs.join(' ')} ended before it listened: is it built?`)
}

/** Starts the server with a key of the plan `business`. Resolves when it listens. */
export async function startServer(...flags) {
  const key = newKey()
  const command = [process.execPath, program, '--port', '0', '--memory', '--log', 'json', ...flags]
  return { ...(await launch(command, { env: { PET_ADOPTION_API_KEY: key } })), key }
}

/** Runs the suite. Resolves with its exit code and what it prints on stdout; rejects if it judges nothing. */
export async function runSuite(url, { key, throttleKey = '' }, ...flags) {
  const env = { PET_ADOPTION_API_KEY: key, PET_ADOPTION_THROTTLE_KEY: throttleKey }
  try {
    return { exitCode: 0, printed: await run(process.execPath, [suite, url, ...flags], { env }) }
  } catch (error) {
    const { code: exitCode, stdout: printed } = error.cause
    if (exitCode !== 1 && exitCode !== 3) throw error
    return { exitCode, printed }
  }
}
