import { printableJson } from './printable.ts'
import type { Report } from './report.ts'

/** The whole report as JSON, safe to show on a terminal. */
export function json(report: Report): string {
  return `${printableJson(report)}\n`
}
