// Prints /metrics of the built standalone server, after some requests; with --conformance, the Prometheus report of a run.
import { fileURLToPath } from 'node:url'
import { run } from './command.mjs'
import { startServer } from './server.mjs'

const suite = fileURLToPath(new URL('../dist/conformance/main.js', import.meta.url))
const server = await startServer('--metrics')
try {
  if (process.argv.includes('--conformance')) {
    const env = { ...process.env, PET_ADOPTION_API_KEY: server.key }
    const args = [suite, server.url, '--format', 'prometheus', '--allow-inconclusive']
    process.stdout.write(await run(process.execPath, args, { env }))
  } else {
    process.stdout.write(await metricsAfterRequests())
  }
} finally {
  await server.stop()
}

async function metricsAfterRequests() {
  const headers = { Authorization: `Bearer ${server.key}` }
  await fetch(`${server.url}/pets`, { headers })
  await fetch(`${server.url}/pets/1`, { headers })
  await fetch(`${server.url}/pets`, { headers, method: 'POST', body: '{"name":"Mia","categoryId":3}' })
  for (let i = 0; i < 61; i++) await fetch(`${server.url}/pets`)
  const response = await fetch(`${server.origin}/metrics`)
  if (!response.ok) throw new Error(`/metrics returned ${response.status}`)
  return response.text()
}
