import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readCommandLine } from './cli/command-line.ts'
import { flagNames, flags } from './cli/flags.ts'
import { metricTable, typeOf } from './routes/metrics/metric-table.ts'

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const manual = textOf('README.md')
const reference = textOf('REFERENCE.md')
const rows = reference.split('\n').filter((line) => line.startsWith('| '))

/** Returns the row whose first two cells have a text. */
function rowOf(text: string): string | undefined {
  return rows.find((row) => row.split(' | ', 2).join(' | ').includes(text))
}

for (const name of flagNames) {
  const { env, default: value, secret, choices = [] } = flags[name]
  const title = secret ? `\`${env}\`` : `\`--${name}`

  test(`the reference has ${title.replaceAll('`', '')}, with its variable, values and default`, () => {
    const row = rowOf(title) ?? ''
    for (const text of [title, env, value, ...choices])
      if (text !== undefined) assert.ok(row.includes(text), `${text} is missing from: ${row}`)
  })
}

test('the table of flags has no flag that the program does not have', () => {
  for (const [, first, second] of rows.flatMap((row) => [
    ...row.matchAll(/^\| `--([a-z-]+)|, `--([a-z-]+)/g),
  ]))
    assert.ok(String(first ?? second) in flags, first ?? second)
})

const commandLines = [...manual.matchAll(/^npx pet-adoption-service (.*?)(?:\s+[#>].*)?$/gm)]
for (const [line, words = ''] of commandLines) {
  test(`the program accepts the command line of the manual: ${line}`, () => {
    readCommandLine(words.replaceAll('"', '').split(/\s+/), {})
  })
}

for (const [name, { labels = [] }] of Object.entries(metricTable)) {
  const type = typeOf(name)
  test(`the reference has the metric ${name}, with its type and labels`, () => {
    const row = rowOf(`\`${name}\``) ?? ''
    assert.ok(row.includes(`| ${type} |`), `${name}, a ${type}, is missing from the reference, or its type`)
    for (const label of type === 'histogram' ? [...labels, 'le'] : labels)
      assert.ok(row.includes(`\`${label}\``), `the label ${label} is missing from: ${row}`)
  })
}

test('the manual and the reference name no metric that the server does not have', () => {
  for (const [, name = ''] of (manual + reference).matchAll(/`((?:pet_adoption|process|nodejs)_\w+)/g))
    assert.ok(name in metricTable, name)
})
