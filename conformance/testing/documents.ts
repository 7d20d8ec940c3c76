// Run as a program, writes what the documents of this folder quote of the suite: costs of runs, and the table of rules.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { catalogue } from '../rules/catalogue.ts'
import { plan } from '../run/plan.ts'
import { profiles } from '../steps/profile.ts'

/** Each document that quotes the suite, as it should be. */
export const documents: Readonly<Record<string, (text: string) => string>> = {
  'README.md': withCosts,
  'interface.md': withRules,
}

/** A cost is quoted as `<!-- figure NAME -->` and the number. */
function withCosts(text: string): string {
  const costs = new Map<string, number>(
    profiles.flatMap((profile) => {
      const { requests, creations, shareOfFree } = plan({
        baseUrl: 'http://pets.test/v1',
        key: 'a-key',
        throttleKey: 'another-key',
        profile,
      })
      return [
        [`requests-${profile}`, requests],
        [`animals-${profile}`, creations.most],
        [`percent-of-minute-${profile}`, Math.round(shareOfFree.minute * 100)],
      ] as const
    }),
  )
  return text.replace(
    /(<!-- figure (\S+) -->)[\d,]+/g,
    (_, mark: string, name: string) => mark + (costs.get(name)?.toLocaleString('en') ?? 'unknown'),
  )
}

function withRules(text: string): string {
  const rows = catalogue.map(
    ({ id, section, statement }) => `| ${id} | ${section} | [\`${statement}\`](#${statement}) |\n`,
  )
  return text.replace(
    /(\| Rule \| Section \| Statement \|\n\|-+\|-+\|-+\|\n)(?:\|.*\n)*/,
    `$1${rows.join('')}`,
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, updated] of Object.entries(documents)) {
    const file = new URL(`../${name}`, import.meta.url)
    writeFileSync(file, updated(readFileSync(file, 'utf8')))
  }
}
