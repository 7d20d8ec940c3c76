import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readCommandLine } from './cli/command-line.ts'
import { metricTable, readMetricType } from './routes/metrics/metric-table.ts'

const readText = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const manual = readText('README.md')
const reference = readText('REFERENCE.md')
const rows = reference.split('\n').filter((line) => line.startsWith('| '))

/** Returns the row whose first two cells have a text. */
function findRow(text: string): string | undefined {
  return rows.find((row) => row.split(' | ', 2).join(' | ').includes(text))
}

const commandLines = [...manual.matchAll(/^npx pet-adoption-service (.*?)(?:\s+[#>].*)?$/gm)]
describe('the manual', () => {
  for (const [line, words = ''] of commandLines) {
    it(`has a valid command line: ${line}`, () => {
      readCommandLine(words.replaceAll('"', '').split(/\s+/), {})
    })
  }

  for (const [name, { labels = [] }] of Object.entries(metricTable)) {
    const type = readMetricType(name)
    it(`has the metric ${name}, with its type and labels`, () => {
      const row = findRow(`\`${name}\``) ?? ''
      assert.ok(row.includes(`| ${type} |`), `${name}, a ${type}, is missing from the reference, or its type`)
      for (const label of type === 'histogram' ? [...labels, 'le'] : labels)
        assert.ok(row.includes(`\`${label}\``), `the label ${label} is missing from: ${row}`)
    })
  }

  it('names only metrics of the server', () => {
    for (const [, name = ''] of (manual + reference).matchAll(/`((?:pet_adoption|process|nodejs)_\w+)/g))
      assert.ok(name in metricTable, name)
  })
})
