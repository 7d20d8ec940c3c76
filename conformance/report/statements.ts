import { existsSync, readFileSync } from 'node:fs'
import { formatStatementLink } from '../rules/statements.ts'
import type { Report, RuleResult } from './report.ts'

/** The suite's folder in the package, as seen from the sources and from `dist`. */
const packageFolders = ['../', '../../../conformance/']

/** Reads a file in the suite's folder, with LF line breaks. */
export function readPackageFile(path: string): string {
  const files = packageFolders.map((folder) => new URL(folder + path, import.meta.url))
  return readFileSync(files.find((file) => existsSync(file)) ?? path, 'utf8').replaceAll('\r\n', '\n')
}

/** The titles of sections by number, and the statements by anchor. */
type InterfaceText = Readonly<Record<'titles' | 'statements', ReadonlyMap<string, string>>>

let cachedText: InterfaceText | undefined

function readInterfaceText(): InterfaceText {
  if (cachedText !== undefined) return cachedText
  const interfaceText = readPackageFile('interface.md')
  const titles = interfaceText.matchAll(/^###? (\d(?:\.\d)?)\.? (.*)$/gm)
  // A statement ends with its paragraph or list item, or before the next anchor.
  const statements = interfaceText.matchAll(/<a id="([^"]+)"><\/a>([\s\S]*?)(?=\n\s*\n|\n- |<a id=|$)/g)
  cachedText = {
    titles: new Map([...titles].map(([, number = '', title = '']) => [number, title.replaceAll('`', '')])),
    statements: new Map([...statements].map(([, anchor = '', text = '']) => [anchor, stripMarkdown(text)])),
  }
  return cachedText
}

function stripMarkdown(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<sup>(\d+)<\/sup>/g, '^$1')
    .replace(/[*]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * Returns a statement's text and a link to it, or only the link if this version of the interface does not have the
 * statement.
 */
export function findStatementText(anchor: string): string {
  const statementText = readInterfaceText().statements.get(anchor)
  return statementText === undefined
    ? formatStatementLink(anchor)
    : `${statementText} (${formatStatementLink(anchor)})`
}

export interface Section {
  /** The section's number and title. */
  readonly name: string
  readonly rules: readonly RuleResult[]
}

/** Groups a report's rules by section. */
export function groupBySection(report: Report): readonly Section[] {
  const sectionNumbers = [...new Set(report.rules.map((rule) => rule.section))]
  return sectionNumbers.sort().map((number) => ({
    name: [number, readInterfaceText().titles.get(number)].filter(Boolean).join(' '),
    rules: report.rules.filter((rule) => rule.section === number),
  }))
}
