import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { metricTable } from './routes/metrics/metric-table.ts'
import { createMetrics } from './routes/metrics/metrics.ts'

const readText = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const alerts = readText('alerts.yml')
const alertNames = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

/** Labels that Prometheus adds. */
const commonLabels = ['job', 'instance', 'le']

/** Finds metrics and the labels that select their series. */
function findMetrics(text: string): readonly { name: string; labels: readonly string[] }[] {
  const found = text.matchAll(/\b((?:pet_adoption|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)
  return [...found].map(([, series = '', selector = '']) => ({
    name: series.replace(/_(?:bucket|sum|count)$/, ''),
    labels: [...selector.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
  }))
}

function findUnknownLabels({ name, labels }: ReturnType<typeof findMetrics>[number]): readonly string[] {
  const metric = metricTable[name]
  assert.ok(metric, `the server has no metric ${name}`)
  const known = [...(metric.labels ?? []), ...commonLabels]
  return labels.filter((label) => !known.includes(label))
}

const findGroupingLabels = (text: string) =>
  [...text.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '))

const dashboard: {
  panels: readonly { targets: readonly { expr: string }[] }[]
} = JSON.parse(readText('grafana.json'))
const targets = dashboard.panels.flatMap((panel) => panel.targets)
const allLabels = [...commonLabels, ...Object.values(metricTable).flatMap(({ labels = [] }) => labels)]

describe('the Prometheus files', () => {
  for (const [title, text] of [
    ['the alert rules', alerts],
    ['the unit tests of the alert rules', readText('alerts.test.yml').replaceAll(/\{alertname=.*\}/g, '')],
    ['the dashboard', targets.map(({ expr }) => expr).join('\n')],
  ] as const) {
    it(`${title} use only existing metrics and labels`, () => {
      const used = findMetrics(text)
      assert.ok(used.length > 10)
      assert.deepEqual(used.flatMap(findUnknownLabels), [])
      for (const label of findGroupingLabels(text))
        assert.ok([...allLabels, 'alertname', 'severity'].includes(label), label)
    })
  }

  it('compare labels with values that exist', async () => {
    const shown = await createMetrics({
      keys: { figures: async () => ({ issued: 0, inForce: 0, loadedAt: 0 }) },
      limiter: { figures: () => ({ mode: 'shared', isRedisUp: true }) },
      store: {
        check: async () => ({}),
        metrics: () => ({ usedConnections: 0, idleConnections: 0, waitingStatements: 0 }),
      },
      log: { linesLost: 0 },
      eventLoop: undefined,
      connections: async () => 0,
    }).render()
    const selectors = (alerts + targets.map(({ expr }) => expr).join('\n')).matchAll(
      /\b(?:pet_adoption|process|nodejs)_\w+\{([^}]*)\}/g,
    )
    const compared = [...selectors].flatMap(([, selector = '']) => [
      ...selector.matchAll(/(\w+)!?=~?"([^"]*)"/g),
    ])
    const values = compared.flatMap(([, label = '', text = '']) =>
      ['job', 'instance'].includes(label) ? [] : text.split('|').map((value) => `${label}="${value}"`),
    )
    assert.ok(values.length > 5)
    for (const value of values) assert.match(shown, new RegExp(value))
  })

  it('show every metric on the dashboard', () => {
    const used = targets.flatMap(({ expr }) => findMetrics(expr).map(({ name }) => name))
    for (const name of Object.keys(metricTable)) assert.ok(used.includes(name), name)
  })

  it('give every alert a severity, a description and a test', () => {
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

  it('define every alert that the manual names', () => {
    for (const [, name = ''] of (readText('README.md') + readText('REFERENCE.md')).matchAll(
      /`(PetAdoption\w+)`/g,
    ))
      assert.ok(alertNames.includes(name), name)
  })
})
