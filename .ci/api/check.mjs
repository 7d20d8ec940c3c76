// Checks the OpenAPI description of the built standalone server with linters, a typed client and a validating proxy. It
// requires only the npm registry. Exits with 1 and the reason if one of them finds anything.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startServer } from '../server.mjs'
import { checkResponses } from './prism.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

function run(title, command, ...args) {
  console.log(`--- ${title}`)
  const { status, error } = spawnSync(command, args, { cwd: folder, env, stdio: 'inherit', timeout: 180_000 })
  if (status !== 0) throw new Error(`${title}: ${error?.message ?? `exit code ${status}`}`)
}

const tool = (name) => `node_modules/.bin/${name}`

async function check() {
  run('the tools', 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
  const server = await startServer()
  try {
    const response = await fetch(`${server.origin}/openapi.json`)
    if (!response.ok) throw new Error(`/openapi.json returned ${response.status}`)
    mkdirSync(`${folder}dist`, { recursive: true })
    writeFileSync(`${folder}dist/openapi.json`, await response.text())

    const description = 'dist/openapi.json'
    run('Redocly', tool('redocly'), 'lint', '--config', 'redocly.yaml', description)
    run(
      'Spectral',
      tool('spectral'),
      'lint',
      '--ruleset',
      'spectral.yaml',
      '--fail-severity',
      'hint',
      description,
    )
    run('openapi-typescript', tool('openapi-typescript'), description, '-o', 'dist/schema.d.ts')
    run('the client compiles', tool('tsc'), '-p', '.')
    run('the client works', process.execPath, 'dist/client.js', server.url, server.key)
    console.log('--- Prism')
    await checkResponses(server)
  } finally {
    await server.stop()
  }
}

try {
  await check()
} catch (error) {
  console.error(`the check of the OpenAPI description failed: ${error.message}`)
  process.exitCode = 1
}
