// Starts the built standalone server.
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './command.mjs'

/** The standalone server's program. */
export const program = join(root, 'dist/adapters/standalone/main.js')

export const newKey = () => randomBytes(24).toString('base64url')

/**
 * Writes a key file and returns its path.
 *
 * @param {string} folder
 * @param {readonly (readonly [id: string, key: string, fields: object])[]} callers
 */
export function writeKeys(folder, callers) {
  const file = join(folder, 'keys.json')
  const sha256 = (key) => createHash('sha256').update(key).digest('hex')
  const keys = callers.map(([id, key, plan]) => ({ id, sha256: sha256(key), ...plan }))
  writeFileSync(file, JSON.stringify({ keys }), { mode: 0o600 })
  return file
}

/**
 * Starts a command and waits until it prints the URL that it listens on. Later output is discarded. The process ends
 * with this one.
 *
 * @param {readonly string[]} command
 * @param {{ env?: Readonly<Record<string, string>>, stdin?: 'pipe' }} options
 * @throws Error if the command exits first, or does not listen within a minute
 */
export async function launch([file = '', ...args], { env = {}, stdin = 'ignore' } = {}) {
  /** @type {import('node:child_process').ChildProcess} */
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: [stdin, 'pipe', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit').finally(() => process.off('exit', kill))
  const url = await readAnnouncedUrl(child)
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

async function readAnnouncedUrl(child) {
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
  throw new Error(`${child.spawnargs.join(' ')} exited before it listened; run "npm run build" first`)
}

/** Starts the standalone server in memory with one key. */
export async function startServer(...flags) {
  const key = newKey()
  const command = [process.execPath, program, '--port', '0', '--memory', '--log', 'json', ...flags]
  return { ...(await launch(command, { env: { PET_ADOPTION_API_KEY: key } })), key }
}
