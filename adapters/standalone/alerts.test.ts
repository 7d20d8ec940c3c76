import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { metricTable } from './routes/metrics/metric-table.ts'

const readText = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const alerts = readText('alerts.yml')
const alertNames = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

/** The labels that Prometheus adds to each series, and the label of buckets. */
const commonLabels = ['job', 'instance', 'le']

/** The metrics of an expression, with the labels of its selectors. A series of a histogram counts as its family. */
function findMetrics(text: string): readonly { name: string; labels: readonly string[] }[] {
  const found = text.matchAll(/\b((?:pet_adoption|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)
  return [...found].map(([, series = '', selector = '']) => ({
    name: series.replace(/_(?:bucket|sum|count)$/, ''),
    labels: [...selector.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
  }))
}

/** Returns the labels of a metric that the table does not have. Throws for an unknown metric. */
function unknownLabels({ name, labels }: ReturnType<typeof findMetrics>[number]): readonly string[] {
  const metric = metricTable[name]
  assert.ok(metric, `the server has no metric ${name}`)
  const known = [...(metric.labels ?? []), ...commonLabels]
  return labels.filter((label) => !known.includes(label))
}

const groupings = (text: string) =>
  [...text.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '))

const dashboard: {
  panels: readonly { targets: readonly { expr: string }[] }[]
} = JSON.parse(readText('grafana.json'))
const targets = dashboard.panels.flatMap((panel) => panel.targets)
const allLabels = [...commonLabels, ...Object.values(metricTable).flatMap(({ labels = [] }) => labels)]

describe('the alerts', () => {
  for (const [title, text] of [
    ['the alert rules', alerts],
    ['the unit tests of the alert rules', readText('alerts.test.yml').replaceAll(/\{alertname=.*\}/g, '')],
    ['the dashboard', targets.map(({ expr }) => expr).join('\n')],
  ] as const) {
    it(`name only metrics of the server, with their labels: ${title}`, () => {
      const used = findMetrics(text)
      assert.ok(used.length > 10)
      assert.deepEqual(used.flatMap(unknownLabels), [])
      for (const label of groupings(text))
        assert.ok([...allLabels, 'alertname', 'severity'].includes(label), label)
    })
  }

  it('go with a dashboard that shows every metric', () => {
    const used = targets.flatMap(({ expr }) => findMetrics(expr).map(({ name }) => name))
    for (const name of Object.keys(metricTable)) assert.ok(used.includes(name), name)
  })

  it('have a severity, texts and a test', () => {
    assert.equal(new Set(alertNames).size, alertNames.length)
    const [, ...rules] = alerts.split(/^ +- alert: /m)
    const tests = readText('alerts.test.yml')
    for (const rule of rules) {
      const [name = ''] = rule.split('\n', 1)
      for (const field of [/severity: (?:critical|warning)$/m, /summary: .+\.$/m, /description: .+\.$/m])
        assert.match(rule, field)
      assert.match(tests, new RegExp(`alertname="${name}"`))
    }
  })

  it('have a rule if the documents name them', () => {
    for (const [, name = ''] of (readText('README.md') + readText('REFERENCE.md')).matchAll(
      /`(PetAdoption\w+)`/g,
    ))
      assert.ok(alertNames.includes(name), name)
  })
})
