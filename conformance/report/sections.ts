import type { Report, RuleResult } from './report.ts'

/** The spec's sections that rules belong to. */
const titles: Readonly<Record<string, string>> = {
  '1': 'What the service does',
  '2': 'Resources and their fields',
  '3': 'States and transitions',
  '4': 'Endpoints',
  '4.1': 'List all animals: GET /pets',
  '4.2': 'Add an animal: POST /pets',
  '4.3': 'Get an animal: GET /pets/{petId}',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
}

/** The rules of one section of the spec. */
export interface Section {
  readonly number: string
  /** Number and title, such as `5 Authentication`. */
  readonly name: string
  readonly rules: readonly RuleResult[]
}

/** The report's rules by section, in the spec's order; within a section as the report has them. */
export function sections(report: Report): readonly Section[] {
  const numbers = [...new Set(report.rules.map((rule) => rule.section))]
  return numbers.sort().map((number) => ({
    number,
    name: titles[number] === undefined ? number : `${number} ${titles[number]}`,
    rules: report.rules.filter((rule) => rule.section === number),
  }))
}
