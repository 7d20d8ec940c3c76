// Prints the expressions of the dashboard as recording rules, which promtool can check.
import { readFileSync } from 'node:fs'

const { panels } = JSON.parse(
  readFileSync(new URL('../adapters/standalone/grafana.json', import.meta.url), 'utf8'),
)
const rules = panels
  .flatMap(({ targets }) => targets)
  .map(({ expr }, i) => ({ record: `dashboard:${i}`, expr: expr.replaceAll('$__rate_interval', '1m') }))
console.log(JSON.stringify({ groups: [{ name: 'dashboard', rules }] })) // JSON is YAML
