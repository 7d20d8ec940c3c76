import { printable } from '../transcript/printable.ts'
import { type Paint, paintOf, type Style } from './ansi.ts'
import { duration, headline, plural, runProblems, tone } from './outcome.ts'
import type { Report } from './report.ts'
import { brokenRules, verdictNames, verdicts } from './verdicts.ts'
import { hang } from './wrap.ts'

function counts(report: Report, paint: Paint): string {
  const known = brokenRules(report).known.length
  const texts = verdictNames
    .filter((verdict) => report.summary[verdict] > 0)
    .map((verdict) => paint(verdicts[verdict].ink, `${report.summary[verdict]} ${verdicts[verdict].counted}`))
  return `${texts.join(paint('dim', ' · '))}${known > 0 ? ` (${known} known)` : ''}`
}

/** Returns the problems of the run and its outcome, a line each. */
export function prettyOutcome(report: Report, style: Style): readonly string[] {
  const paint = paintOf(style)
  const inks = { fail: 'red', warn: 'yellow', pass: 'green' } as const
  const ink = inks[tone(report)]
  return [
    ...runProblems(report).map(({ title, message }) => `${paint('yellow', title)}: ${printable(message)}`),
    paint('bold', paint(ink, headline(report))),
  ]
}

/** Returns a summary of a few lines: the causes and the problems of the run, its counts and its outcome. */
export function prettySummary(report: Report, style: Style): string {
  const paint = paintOf(style)
  const outcome = prettyOutcome(report, style)
  if (style.isQuiet) return [...outcome, ''].join('\n')
  const cost = `${plural(report.requests, 'request')} in ${duration(report)}, ${plural(report.creates, 'animal')} created`
  const causes = report.causes.map(({ title }, index) =>
    hang(`${index + 1}. ${printable(title)}`, 3, style.columns ?? Number.POSITIVE_INFINITY),
  )
  return [
    ...causes,
    ...report.notes.map(({ message }) => paint('yellow', `Note: ${printable(message)}`)),
    ...outcome.slice(0, -1),
    counts(report, paint),
    paint('dim', cost),
    ...outcome.slice(-1),
    '',
  ].join('\n')
}
