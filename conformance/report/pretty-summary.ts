import { type Ink, type Paint, paintOf, type Style } from './ansi.ts'
import { headline, plural, runProblems } from './outcome.ts'
import { printable } from './printable.ts'
import type { Report } from './report.ts'
import { brokenRules, verdictNames, verdicts } from './verdicts.ts'

function counts(report: Report, paint: Paint): string {
  const known = brokenRules(report).known.length
  const texts = verdictNames
    .filter((verdict) => report.summary[verdict] > 0)
    .map((verdict) => paint(verdicts[verdict].ink, `${report.summary[verdict]} ${verdicts[verdict].counted}`))
  return `${texts.join(paint('dim', ' · '))}${known > 0 ? ` (${known} known)` : ''}`
}

/** Returns a summary of a few lines: the problems of the run, its counts and its outcome. */
export function prettySummary(report: Report, style: Style): string {
  const paint = paintOf(style)
  const { failures } = brokenRules(report)
  const problems = runProblems(report)
  const ink: Ink = failures.length > 0 ? 'red' : problems.length > 0 ? 'yellow' : 'green'
  const seconds = (report.durationMs / 1000).toFixed(1)
  const cost = `${plural(report.requests, 'request')} in ${seconds} s, ${plural(report.creates, 'animal')} created`
  return [
    ...problems.map(({ title, message }) => `${paint('yellow', title)}: ${printable(message)}`),
    counts(report, paint),
    paint('dim', cost),
    paint('bold', paint(ink, headline(report))),
    '',
  ].join('\n')
}
