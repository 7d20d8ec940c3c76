// Starts the built standalone server for a check, with a new key, and runs the built conformance suite.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { root } from './command.mjs'

/** The built server. */
export const program = join(root, 'dist/adapters/standalone/main.js')
const suite = join(root, 'dist/conformance/main.js')

/** Returns a new API key. */
export const newKey = () => randomBytes(24).toString('base64url')

/** Returns a port that was free just now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await once(server.close(), 'close')
  return port
}

/**
 * Resolves with the address that a new process says it listens on, and discards what it prints after that, so that its
 * log never waits. Rejects where it ends before, and kills it where it says nothing for a minute.
 */
export async function announced(child) {
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

/** Starts the server, with a key of the plan `business` unless a flag names a file. Resolves when it listens. */
export async function startServer(...flags) {
  const key = newKey()
  const child = spawn(process.execPath, [program, '--port', '0', '--memory', '--log', 'json', ...flags], {
    env: { ...process.env, ...(!flags.includes('--keys') && { PET_ADOPTION_API_KEY: key }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const url = await announced(child)
  return {
    url,
    origin: new URL(url).origin,
    key,
    async stop() {
      child.kill()
      await ended
    },
  }
}

/** Adds more animals than a page has, of each status: evidence for every rule. Returns the statuses. */
export async function addAnimals(url, key) {
  const statuses = []
  for (let i = 0; i < 30; i++) {
    const status = ['available', 'pending', 'sold'][i % 3]
    const body = JSON.stringify({ name: `Animal ${i}`, categoryId: 1 + (i % 3), status })
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const response = await fetch(`${url}/pets`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}

/** Runs the suite. Resolves with its exit code and what it prints on stdout; rejects where it judges nothing. */
export async function runSuite(url, { key, throttleKey = '' }, ...flags) {
  const env = { ...process.env, PET_ADOPTION_API_KEY: key, PET_ADOPTION_THROTTLE_KEY: throttleKey }
  const child = spawn(process.execPath, [suite, url, ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [printed, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  if (![0, 1, 3].includes(exitCode)) throw new Error(`the suite ended with ${exitCode}: ${errors}`)
  return { exitCode, printed }
}
