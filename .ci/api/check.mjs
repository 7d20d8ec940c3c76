// Checks the OpenAPI description with a linter, and a client that is generated from it: node .ci/api/check.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { check, run } from '../command.mjs'
import { install } from '../install.mjs'
import { startServer } from '../server.mjs'

const cwd = fileURLToPath(new URL('.', import.meta.url))
const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const tool = (name) => `node_modules/.bin/${name}`
const description = 'dist/openapi.json'

await check('the OpenAPI check', async () => {
  await install(new URL('.', import.meta.url))
  const server = await startServer()
  try {
    const response = await fetch(`${server.origin}/openapi.json`)
    if (!response.ok) throw new Error(`/openapi.json returned ${response.status}`)
    mkdirSync(`${cwd}dist`, { recursive: true })
    writeFileSync(`${cwd}${description}`, await response.text())
    for (const [title, command, ...args] of [
      ['Redocly', tool('redocly'), 'lint', '--config', 'redocly.yaml', description],
      ['openapi-typescript', tool('openapi-typescript'), description, '-o', 'dist/schema.d.ts'],
      ['the client compiles', tool('tsc'), '-p', '.'],
      ['the client works', process.execPath, 'dist/client.js', server.url, server.key],
    ])
      console.log(`--- ${title}\n${await run(command, args, { cwd, env })}`)
  } finally {
    await server.stop()
  }
})
