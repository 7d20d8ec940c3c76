import { printableJson } from '../../transcript/printable.ts'
import type { Report } from '../report.ts'

/** Returns the report as JSON. Control characters are escaped, so that a terminal can show it. */
export function json(report: Report): string {
  return `${printableJson(report)}\n`
}
