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
