// Runs the built conformance program, with every profile, against the built standalone server.
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-'))
const key = (id, plan) => {
  const token = randomBytes(24).toString('base64url')
  return { token, record: { id, plan, sha256: createHash('sha256').update(token).digest('hex') } }
}
const main = key('suite', 'business')
const throttled = key('throttled', 'free')
const keysFile = join(folder, 'keys.json')
writeFileSync(keysFile, JSON.stringify({ keys: [main.record, throttled.record] }))

const server = spawn(
  process.execPath,
  ['dist/adapters/standalone/main.js', '--port', '0', '--memory', '--keys', keysFile, '--log', 'json'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
try {
  const baseUrl = await new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`the server stopped with ${code}`)))
    createInterface({ input: server.stdout }).on('line', (line) => {
      const record = JSON.parse(line)
      if (record.event === 'listening') resolve(record.url)
    })
  })
  const env = { ...process.env, PET_ADOPTION_API_KEY: main.token, PET_ADOPTION_THROTTLE_KEY: throttled.token }
  const suite = (...args) =>
    spawnSync(process.execPath, ['dist/conformance/main.js', baseUrl, ...args], { env, stdio: 'inherit' }).status
  // The keys are made for this run alone: nothing stays behind that an argument list could tell.
  process.exitCode =
    suite('--profile', 'create', '--plan', 'business') || suite('--profile', 'exhaust', '--throttle-key', throttled.token)
} finally {
  server.kill()
  rmSync(folder, { recursive: true })
}
