import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readCommandLine } from './cli/command-line.ts'
import { metricTable } from './routes/metrics/metric-table.ts'
import { referenceTables } from './testing/reference-tables.ts'

const readText = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const manual = readText('README.md') + readText('OPERATING.md')
const reference = readText('REFERENCE.md')
const commandLines = [...manual.matchAll(/^npx pet-adoption-service (.*?)(?:\s+[#>].*)?$/gm)]
describe('the manual', () => {
  for (const [line, words = ''] of commandLines) {
    it(`has a valid command line: ${line}`, () => {
      readCommandLine(words.replaceAll('"', '').split(/\s+/), {})
    })
  }

  for (const [name, table] of Object.entries(referenceTables))
    it(`has the current table: ${name}`, () => {
      assert.ok(reference.includes(`<!-- ${name} -->\n${table}\n`))
    })

  it('names only existing metrics', () => {
    for (const [, name = ''] of (manual + reference).matchAll(/`((?:pet_adoption|process|nodejs)_\w+)/g))
      assert.ok(name in metricTable, name)
  })
})
