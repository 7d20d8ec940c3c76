// Starts the built standalone server for a check, with a new key.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../dist/adapters/standalone/main.js', import.meta.url))

/** Starts the server. Resolves when it listens, with its base address, its origin, a key of the plan `business`, and `stop`. */
export async function startServer(...flags) {
  const key = randomBytes(24).toString('base64url')
  const child = spawn(process.execPath, [main, '--port', '0', '--memory', '--log', 'json', ...flags], {
    env: { ...process.env, PET_ADOPTION_API_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const late = setTimeout(() => child.kill(), 20_000)
  const url = await new Promise((resolve, reject) => {
    ended.then(() => reject(new Error('the server did not start: has "npm run build" been run?')), reject)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const record = JSON.parse(line)
      if (record.event === 'listening') resolve(record.url)
    })
  }).finally(() => clearTimeout(late))
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
