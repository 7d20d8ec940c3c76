// Prints /metrics of the built standalone server, after some requests.
import { startServer } from './server.mjs'

const server = await startServer('--metrics')
try {
  const headers = { Authorization: `Bearer ${server.key}` }
  await fetch(`${server.url}/pets`, { headers })
  await fetch(`${server.url}/pets/1`, { headers })
  await fetch(`${server.url}/pets`, { headers, method: 'POST', body: '{"name":"Mia","categoryId":3}' })
  for (let i = 0; i < 61; i++) await fetch(`${server.url}/pets`)
  const response = await fetch(`${server.origin}/metrics`)
  if (!response.ok) throw new Error(`/metrics returned ${response.status}`)
  process.stdout.write(await response.text())
} finally {
  await server.stop()
}
