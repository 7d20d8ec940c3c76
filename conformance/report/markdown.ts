import { about, formatParts, formatSummary, type Style } from './pretty.ts'
import type { Report } from './report.ts'

/** The width of the lines in blocks of code. */
const style: Style = { color: false, columns: 100 }

/** A block of code, between fences that are longer than any run of backticks in it. */
function block(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return `${fence}text\n${text.trimEnd()}\n${fence}`
}

/**
 * Returns a page with the summary, the causes and the broken rules, every rule by section, the observations, and the
 * animals created. All text of a deployment is in blocks of code.
 */
export function markdown(report: Report): string {
  return [
    '# Pet adoption service: conformance report',
    block([...about(report), '', formatSummary(report, style)].join('\n')),
    ...formatParts(report, style).flatMap(([heading, text]) => [`## ${heading}`, block(text)]),
    '',
  ].join('\n\n')
}
