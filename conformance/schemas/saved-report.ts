import type { Report } from '../report/report.ts'
import { schemaProblem } from './problem.ts'
import { reportSchema } from './report.ts'

/**
 * Reads the text of a report in the format `json`.
 *
 * @param text Text of `--format json`.
 * @throws {TypeError} The text is not JSON, or no report; the message names the place.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { readReport } from 'pet-adoption-service/conformance'
 *
 * const report = readReport(readFileSync('report.json', 'utf8'))
 * console.log(report.target.baseUrl, report.summary)
 */
export function readReport(text: string): Report {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new TypeError('the report is not JSON: save one with --format json=FILE')
  }
  const problem = schemaProblem(value, reportSchema)
  if (problem !== undefined) throw new TypeError(`the report cannot be read: ${problem}`)
  // the schema has every member of the type
  return value as Report
}
