import { printable } from '../../transcript/printable.ts'
import { causeLines, factsOf, headline, runProblems } from '../outcome.ts'
import type { Report, RuleResult } from '../report.ts'
import { brokenRules } from '../verdicts.ts'

/** The message of a workflow command, in which `%` is the escape character. */
const message = (text: string): string => printable(text).replaceAll('%', '%25')

/** A property of a workflow command, which `:` and `,` would otherwise end. */
const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

type Severity = 'error' | 'warning' | 'notice'

const annotation = (severity: Severity, title: string, ...lines: readonly string[]): string =>
  `::${severity} title=${property(title)}::${lines.map(message).join('%0A')}`

function broken(severity: Severity, rule: RuleResult, report: Report): string {
  const { id, level, section, title } = rule
  const lines = [title, ...factsOf(rule, report).map(({ name, text }) => `${name}: ${text}`)]
  return annotation(severity, `${id} (${level}, section ${section})`, ...lines)
}

/** Returns workflow commands of GitHub Actions: an annotation for the causes, each broken rule and each problem of the run. */
export function github(report: Report): string {
  const { failures, warnings, known } = brokenRules(report)
  // one annotation with every cause
  const [title, ...lines] = causeLines(report)
  const open = report.rules.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id)
  return [
    ...(title === undefined ? [] : [annotation(failures.length > 0 ? 'error' : 'warning', title, ...lines)]),
    ...failures.map((rule) => broken('error', rule, report)),
    ...runProblems(report).map(({ title, message: text }) => annotation('error', title, text)),
    ...report.notes.map((note) => annotation('notice', 'Note on the run', note.message)),
    ...warnings.map((rule) => broken('warning', rule, report)),
    ...known.map((rule) => broken('notice', rule, report)),
    ...(open.length > 0 ? [annotation('notice', 'Not judged for lack of evidence', open.join(', '))] : []),
    `${printable(report.target.baseUrl)}: ${printable(headline(report))}`,
    '',
  ].join('\n')
}
