// Prints /metrics of the built standalone server, after some requests; with --dashboard, the expressions of the
// dashboard as recording rules, which promtool can check.
import { readFileSync } from 'node:fs'
import { startServer } from './server.mjs'

if (process.argv.includes('--dashboard')) process.stdout.write(dashboardRules())
else {
  const server = await startServer('--metrics')
  try {
    process.stdout.write(await metricsAfterRequests(server))
  } finally {
    await server.stop()
  }
}

async function metricsAfterRequests({ key, url, origin }) {
  const headers = { Authorization: `Bearer ${key}` }
  await fetch(`${url}/pets`, { headers })
  await fetch(`${url}/pets/1`, { headers })
  await fetch(`${url}/pets`, { headers, method: 'POST', body: '{"name":"Mia","categoryId":3}' })
  for (let i = 0; i < 61; i++) await fetch(`${url}/pets`)
  const response = await fetch(`${origin}/metrics`)
  if (!response.ok) throw new Error(`/metrics returned ${response.status}`)
  return response.text()
}

function dashboardRules() {
  const file = new URL('../adapters/standalone/grafana.json', import.meta.url)
  const rules = JSON.parse(readFileSync(file, 'utf8'))
    .panels.flatMap(({ targets }) => targets)
    .map(({ expr }, i) => ({ record: `dashboard:${i}`, expr: expr.replaceAll('$__rate_interval', '1m') }))
  return JSON.stringify({ groups: [{ name: 'dashboard', rules }] }) // JSON is YAML
}
