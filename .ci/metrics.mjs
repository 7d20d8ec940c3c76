// Checks the server's metrics, alert rules and dashboard with promtool, which is downloaded unless it is installed: node
// .ci/metrics.mjs
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, root, run, writeFiles } from './command.mjs'
import { startServer } from './server.mjs'

async function findPromtool(folder) {
  if (!spawnSync('promtool', ['--version']).error) return 'promtool'
  await run('apt-get', ['update', '-qq'])
  await run('sh', ['-c', 'apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb .'], {
    cwd: folder,
  })
  return join(folder, 'usr/bin/promtool')
}

/** Returns the metrics after some requests. */
async function readMetrics() {
  const { key, url, origin, stop } = await startServer('--metrics')
  const headers = { Authorization: `Bearer ${key}` }
  try {
    await fetch(`${url}/pets`, { headers })
    await fetch(`${url}/pets/1`, { headers })
    await fetch(`${url}/pets`, { headers, method: 'POST', body: '{"name":"Mia","categoryId":3}' })
    for (let i = 0; i < 61; i++) await fetch(`${url}/pets`)
    return await (await fetch(`${origin}/metrics`)).text()
  } finally {
    await stop()
  }
}

/** Returns the dashboard's queries as recording rules, in JSON, which is YAML. */
function readDashboard() {
  const file = join(root, 'adapters/standalone/grafana.json')
  const rules = JSON.parse(readFileSync(file, 'utf8'))
    .panels.flatMap(({ targets }) => targets)
    .map(({ expr }, i) => ({ record: `dashboard:${i}`, expr: expr.replaceAll('$__rate_interval', '1m') }))
  return JSON.stringify({ groups: [{ name: 'dashboard', rules }] })
}

await check('the check of the metrics', async (folder) => {
  const promtool = await findPromtool(folder)
  writeFiles(folder, { metrics: await readMetrics(), 'dashboard.yml': readDashboard() })
  await run('sh', ['-c', '"$1" check metrics <metrics', 'sh', promtool], { cwd: folder })
  for (const [command, file] of [
    ['check', join(root, 'adapters/standalone/alerts.yml')],
    ['check', join(folder, 'dashboard.yml')],
    ['test', join(root, 'adapters/standalone/alerts.test.yml')],
  ])
    await run(promtool, [command, 'rules', file])
  console.log('ok      promtool: metrics, alerts, dashboard')
})
