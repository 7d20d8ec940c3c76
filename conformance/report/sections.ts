import { existsSync, readFileSync } from 'node:fs'
import { statementLink } from '../rules/statements.ts'
import type { Report, RuleResult } from './report.ts'

/** The titles of the sections of the interface, as in `interface.md`. */
export const sectionTitles: Readonly<Record<string, string>> = {
  '1': 'What the service does',
  '2': 'Resources and their fields',
  '3': 'States and transitions',
  '4': 'Endpoints',
  '4.1': 'List animals: GET /pets',
  '4.2': 'Add an animal: POST /pets',
  '4.3': 'Get an animal: GET /pets/{petId}',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
}

/** The rules of one section of the interface. */
export interface Section {
  readonly number: string
  /** Number and title, such as `5 Authentication`. */
  readonly name: string
  readonly rules: readonly RuleResult[]
}

/** Returns the rules of a report by section, in the order of the interface. Within a section, their order is unchanged. */
export function sections(report: Report): readonly Section[] {
  const numbers = [...new Set(report.rules.map((rule) => rule.section))]
  return numbers.sort().map((number) => ({
    number,
    name: sectionTitles[number] === undefined ? number : `${number} ${sectionTitles[number]}`,
    rules: report.rules.filter((rule) => rule.section === number),
  }))
}

/** Where the interface is: beside the sources, and beside what is built of them. */
const places = ['../interface.md', '../../../conformance/interface.md']

let known: ReadonlyMap<string, string> | undefined

/** Returns a statement of the interface as plain text; its anchor alone if this version of the interface does not have it. */
export function statementText(anchor: string): string {
  known ??= readStatements()
  const text = known.get(anchor)
  return text === undefined ? statementLink(anchor) : `${text} (${statementLink(anchor)})`
}

function readStatements(): ReadonlyMap<string, string> {
  const files = places.map((place) => new URL(place, import.meta.url))
  const file = files.find((one) => existsSync(one))
  const page = file === undefined ? '' : readFileSync(file, 'utf8')
  // a statement ends with its paragraph, or where the next one begins
  const found = page.matchAll(/<a id="([^"]+)"><\/a>([\s\S]*?)(?=\n\s*\n|\n- |<a id=|$)/g)
  return new Map([...found].map(([, anchor = '', text = '']) => [anchor, plain(text)]))
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
