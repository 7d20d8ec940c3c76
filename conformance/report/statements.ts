import { existsSync, readFileSync } from 'node:fs'
import { formatStatementLink } from '../rules/statements.ts'
import type { Report, RuleResult } from './report.ts'

/** The folder `conformance` of the package: above the sources, and above the built files. */
const folders = ['../', '../../../conformance/']

/** Returns the text of a file of the package, by its path from `conformance`, with LF at the end of lines. */
export function readPackageFile(path: string): string {
  const files = folders.map((folder) => new URL(folder + path, import.meta.url))
  return readFileSync(files.find((file) => existsSync(file)) ?? path, 'utf8').replaceAll('\r\n', '\n')
}

/** The text of the interface: the titles of sections by their numbers, statements by their anchors. */
type InterfaceText = Readonly<Record<'titles' | 'statements', ReadonlyMap<string, string>>>

let known: InterfaceText | undefined

function interfaceText(): InterfaceText {
  if (known !== undefined) return known
  const page = readPackageFile('interface.md')
  const titles = page.matchAll(/^###? (\d(?:\.\d)?)\.? (.*)$/gm)
  // a statement ends with its paragraph, or before the next one
  const statements = page.matchAll(/<a id="([^"]+)"><\/a>([\s\S]*?)(?=\n\s*\n|\n- |<a id=|$)/g)
  known = {
    titles: new Map([...titles].map(([, number = '', title = '']) => [number, title.replaceAll('`', '')])),
    statements: new Map([...statements].map(([, anchor = '', text = '']) => [anchor, plain(text)])),
  }
  return known
}

/** Removes the markup of a paragraph. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<sup>(\d+)<\/sup>/g, '^$1')
    .replace(/[*]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns a statement of the interface; its anchor alone if this version of the interface does not have it. */
export function findStatementText(anchor: string): string {
  const text = interfaceText().statements.get(anchor)
  return text === undefined ? formatStatementLink(anchor) : `${text} (${formatStatementLink(anchor)})`
}

/** The rules of one section of the interface. */
export interface Section {
  /** Number and title, such as `5 Authentication`. */
  readonly name: string
  readonly rules: readonly RuleResult[]
}

/** Returns the rules of a report by section, in the order of the interface. Within one, their order is unchanged. */
export function sections(report: Report): readonly Section[] {
  const numbers = [...new Set(report.rules.map((rule) => rule.section))]
  return numbers.sort().map((number) => ({
    name: [number, interfaceText().titles.get(number)].filter(Boolean).join(' '),
    rules: report.rules.filter((rule) => rule.section === number),
  }))
}
