// Run as a program, writes the table of rules into the interface.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { catalogue } from '../rules/catalogue.ts'

/** Returns the text of the interface with the table of rules as it should be. */
export function withRules(text: string): string {
  const rows = catalogue.map(
    ({ id, section, statement }) => `| ${id} | ${section} | [\`${statement}\`](#${statement}) |\n`,
  )
  return text.replace(
    /(\| Rule \| Section \| Statement \|\n\|-+\|-+\|-+\|\n)(?:\|.*\n)*/,
    `$1${rows.join('')}`,
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = new URL('../interface.md', import.meta.url)
  writeFileSync(file, withRules(readFileSync(file, 'utf8')))
}
