import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type FlagName, flagNames, flags } from './flags.ts'

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const rows = readme.split('\n').filter((line) => line.startsWith('| '))

describe('the table of flags in the README', () => {
  const ofTheServer = flagNames.filter((name) => flags[name].commands.includes('serve'))

  for (const name of ofTheServer) {
    const { env, default: value, secret, choices = [] } = flags[name]
    const shown = secret ? `\`${env}\`` : `\`--${name}`

    it(`the README has ${shown}\`, with its variable, its values and its default`, () => {
      const row = rows.find((row) => row.slice(0, 60).includes(shown)) ?? ''
      for (const text of [shown, env, value, ...choices]) {
        if (text !== undefined) assert.ok(row.includes(text), `${text} is missing from: ${row}`)
      }
    })
  }

  it('the README has no flag that does not exist', () => {
    const named = rows.flatMap((row) => [...row.matchAll(/^\| `--([a-z-]+)|, `--([a-z-]+)/g)])
    for (const [, first, further] of named) {
      assert.ok(flagNames.includes((first ?? further) as FlagName), `--${first ?? further}`)
    }
  })
})
