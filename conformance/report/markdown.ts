import { describeRun, formatParts, formatSummary, type Style } from './pretty.ts'
import type { Report } from './report.ts'

const markdownStyle: Style = { color: false, columns: 100 }

/** Formats a code block. Its fence is longer than any sequence of backticks in the text. */
function formatCodeBlock(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return `${fence}text\n${text.trimEnd()}\n${fence}`
}

/** Formats a report as Markdown. All text from the deployment is in code blocks, so it cannot contain markup. */
export function formatMarkdown(report: Report): string {
  return [
    '# Pet adoption service: conformance report',
    formatCodeBlock([...describeRun(report), '', formatSummary(report, markdownStyle)].join('\n')),
    ...formatParts(report, markdownStyle).flatMap(([heading, text]) => [
      `## ${heading}`,
      formatCodeBlock(text),
    ]),
    '',
  ].join('\n\n')
}
