import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { serving } from '../examples/testing/serving.ts'
import { readCommandLine } from './cli/command-line.ts'
import { flagNames, flags } from './cli/flags.ts'

const manual = readFileSync(new URL('README.md', import.meta.url), 'utf8')
const rows = manual.split('\n').filter((line) => line.startsWith('| '))

/** Returns the row whose first two cells have a text. */
function rowOf(text: string): string | undefined {
  return rows.find((row) => row.split(' | ', 2).join(' | ').includes(text))
}

for (const name of flagNames) {
  const { env, default: value, secret, choices = [] } = flags[name]
  const title = secret ? `\`${env}\`` : `\`--${name}`

  test(`the operator's manual has ${title.replaceAll('`', '')}, with its variable, values and default`, () => {
    const row = rowOf(title) ?? ''
    for (const text of [title, env, value, ...choices])
      if (text !== undefined) assert.ok(row.includes(text), `${text} is missing from: ${row}`)
  })
}

test('the table of flags in the manual has no flag that the program does not have', () => {
  const named = rows.flatMap((row) => [...row.matchAll(/^\| `--([a-z-]+)|, `--([a-z-]+)/g)])
  const unknown = named
    .map(([, first, second]) => first ?? second)
    .filter((name) => !flagNames.some((known) => known === name))
  assert.deepEqual(unknown, [])
})

const commandLines = [...manual.matchAll(/^npx pet-adoption-service (.*?)(?:\s+#.*)?$/gm)]
for (const [line, words = ''] of commandLines) {
  test(`the program accepts the command line of the manual: ${line}`, () => {
    readCommandLine(words.replaceAll('"', '').split(/\s+/), {})
  })
}

test("the operator's manual has every metric that the server exposes, with its type and labels", async (t) => {
  const options = ['--metrics', '--memory', '--port', '{port}', '--log', 'silent']
  const { origin } = await serving(t, [process.execPath, 'dist/adapters/standalone/main.js', ...options])
  await fetch(`${origin}/v1/pets`) // from then on each counter has a series, which shows its labels
  const text = await (await fetch(`${origin}/metrics`)).text()
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const row = rowOf(`\`${name}\``) ?? ''
    assert.ok(row.includes(`| ${type} |`), `${name}, a ${type}, is missing from the manual, or its type`)
    const [, labels = ''] = new RegExp(`^${name}(?:_bucket)?\\{([^}]*)\\}`, 'm').exec(text) ?? []
    for (const [, label] of labels.matchAll(/(\w+)="/g))
      assert.ok(row.includes(`\`${label}\``), `the label ${label} is missing from: ${row}`)
  }
})
