import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { metricTable } from './routes/metrics/metric-table.ts'

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const alerts = textOf('alerts.yml')
const alertNames = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

/** The labels that Prometheus adds to each series, and that of the buckets of a histogram. */
const commonLabels = ['job', 'instance', 'le']

/** The metrics of an expression, each with the labels that its selector names. A series of a histogram counts as its family. */
function metricsOf(text: string): readonly { name: string; labels: readonly string[] }[] {
  const found = text.matchAll(/\b((?:pet_adoption|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)
  return [...found].map(([, series = '', selector = '']) => ({
    name: series.replace(/_(?:bucket|sum|count)$/, ''),
    labels: [...selector.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
  }))
}

/** Returns the labels of a metric that the table does not have. Throws for an unknown metric. */
function unknownLabels({ name, labels }: ReturnType<typeof metricsOf>[number]): readonly string[] {
  const metric = metricTable[name]
  assert.ok(metric, `the server has no metric ${name}`)
  const known = [...(metric.labels ?? []), ...commonLabels]
  return labels.filter((label) => !known.includes(label))
}

const groupings = (text: string) =>
  [...text.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '))

const dashboard: {
  panels: readonly {
    id: number
    gridPos: { x: number; y: number; w: number; h: number }
    targets: readonly { expr: string; legendFormat: string }[]
  }[]
} = JSON.parse(textOf('grafana.json'))
const targets = dashboard.panels.flatMap((panel) => panel.targets)
const allLabels = [...commonLabels, ...Object.values(metricTable).flatMap(({ labels = [] }) => labels)]

for (const [title, text] of [
  ['the alert rules', alerts],
  ['the unit tests of the alert rules', textOf('alerts.test.yml').replaceAll(/\{alertname=.*\}/g, '')],
  ['the dashboard', targets.map(({ expr }) => expr).join('\n')],
] as const) {
  test(`${title} name only metrics of the server, with their labels`, () => {
    const used = metricsOf(text)
    assert.ok(used.length > 10)
    assert.deepEqual(used.flatMap(unknownLabels), [])
    const own = ['alertname', 'severity']
    assert.deepEqual(
      groupings(text).filter((label) => ![...allLabels, ...own].includes(label)),
      [],
    )
  })
}

test('the dashboard shows every metric', () => {
  const used = new Set(targets.flatMap(({ expr }) => metricsOf(expr).map(({ name }) => name)))
  assert.deepEqual(
    Object.keys(metricTable).filter((name) => !used.has(name)),
    [],
  )
})

test('a legend of the dashboard names only labels that its expression keeps', () => {
  for (const { expr, legendFormat } of targets)
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
      const kept = / by \(/.test(expr) ? groupings(expr) : commonLabels
      assert.ok(kept.includes(label), `${label} of: ${expr}`)
    }
})

test('each panel of the dashboard has an id and a place of its own', () => {
  const { panels } = dashboard
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  )
  assert.equal(new Set(cells).size, cells.length)
  assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24))
})

test('each alert has a severity, a summary, what to do, a test in which it fires, and a row in the manual', () => {
  assert.equal(new Set(alertNames).size, alertNames.length)
  const [, ...rules] = alerts.split(/^ +- alert: /m)
  const [tests, manual] = [textOf('alerts.test.yml'), textOf('README.md')]
  for (const rule of rules) {
    const [name = ''] = rule.split('\n', 1)
    for (const field of [/severity: (?:critical|warning)$/m, /summary: .+\.$/m, /description: .+\.$/m])
      assert.match(rule, field)
    assert.match(tests, new RegExp(`alertname="${name}"`))
    assert.ok(manual.includes(`\n| \`${name}\` | `), `${name} is missing from the manual`)
  }
})

test('the manual names no alert that has no rule', () => {
  const named = [...textOf('README.md').matchAll(/`(PetAdoption\w+)`/g)].map(([, name = '']) => name)
  assert.deepEqual(
    named.filter((name) => !alertNames.includes(name)),
    [],
  )
})
