// Runs the built conformance program, with every profile, against the built standalone server, and the recipe for CI as the
// manual prints it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
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
  // With more than a page of animals of every status, the suite has evidence for all rules.
  for (let i = 0; i < 30; i++) {
    const response = await fetch(`${baseUrl}/pets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${main.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: `Animal ${i}`,
        categoryId: 1 + (i % 3),
        status: ['available', 'pending', 'sold'][i % 3],
      }),
    })
    if (response.status !== 201) throw new Error(`createPet returned ${response.status}`)
  }
  const env = { ...process.env, PET_ADOPTION_API_KEY: main.token, PET_ADOPTION_THROTTLE_KEY: throttled.token }
  const suite = (...args) =>
    spawnSync(process.execPath, ['dist/conformance/main.js', baseUrl, ...args], { env, stdio: 'inherit' })
      .status
  process.exitCode = suite('--profile', 'all', '--plan', 'business') || recipe()
} finally {
  server.kill()
  rmSync(folder, { recursive: true })
}

/** Runs the recipe for CI in a folder where the package is installed. Returns its exit code. */
function recipe() {
  const manual = readFileSync('conformance/README.md', 'utf8')
  const [, script] = /<!-- conformance\/examples\/ci\.sh -->\n```sh\n([\s\S]*?)```/.exec(manual)
  const programs = join(folder, 'node_modules', '.bin')
  mkdirSync(programs, { recursive: true })
  for (const [name, path] of [
    ['pet-adoption-service', 'dist/adapters/standalone/main.js'],
    ['pet-adoption-conformance', 'dist/conformance/main.js'],
  ]) {
    const text = `#!/bin/sh\nexec '${process.execPath}' '${resolve(path)}' "$@"\n`
    writeFileSync(join(programs, name), text, { mode: 0o755 })
  }
  const { PET_ADOPTION_API_KEY: _, ...env } = process.env
  return spawnSync('sh', ['-c', script], { cwd: folder, env, stdio: 'inherit' }).status
}
