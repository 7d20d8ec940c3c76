import { printable, printableJson } from '../../transcript/printable.ts'
import { causeLines, factsOf, headline, runProblems } from '../outcome.ts'
import type { Report, RuleResult } from '../report.ts'
import { isBroken, isKnown } from '../verdicts.ts'

/** A description, or the reason of a directive. `#` and `\` are escaped (TAP 14). */
const plain = (text: string): string => printable(text).replace(/[\\#]/g, '\\$&')

/** A block of YAML. Each value is a JSON string, which is valid YAML. */
function diagnostics(values: readonly (readonly [name: string, value: string])[]): readonly string[] {
  return ['  ---', ...values.map(([name, value]) => `  ${name}: ${printableJson(value)}`), '  ...']
}

function directive(rule: RuleResult): string {
  if (isKnown(rule)) return ` # TODO known failure: ${plain(rule.known ?? '')}`
  return isBroken(rule) || rule.verdict === 'pass' ? '' : ` # SKIP ${rule.verdict}: ${plain(rule.reason)}`
}

function rulePoint(rule: RuleResult, number: number, report: Report): readonly string[] {
  const result = rule.verdict === 'fail' ? 'not ok' : 'ok'
  const line = `${result} ${number} - ${rule.id} ${plain(rule.title)}${directive(rule)}`
  if (!isBroken(rule)) return [line]
  const { verdict, level, section } = rule
  return [
    line,
    ...diagnostics([
      ...Object.entries({ verdict, level, section }),
      ...factsOf(rule, report).map(({ name, text }) => [name, text] as const),
    ]),
  ]
}

/** Returns TAP 14: a test point for each rule and for each problem of the run. A known failure is a TODO. */
export function tap(report: Report): string {
  const problems = runProblems(report)
  const points = report.rules.map((rule, index) => rulePoint(rule, index + 1, report))
  const problemPoints = problems.map(({ title, message }, index) => [
    `not ok ${report.rules.length + index + 1} - ${plain(title)}`,
    ...diagnostics([['message', message]]),
  ])
  return [
    'TAP version 14',
    `1..${report.rules.length + problems.length}`,
    ...causeLines(report).map((line) => `# ${plain(line)}`),
    ...points.flat(),
    ...problemPoints.flat(),
    ...report.notes.map(({ message }) => `# note: ${plain(message)}`),
    `# ${plain(headline(report))}`,
    '',
  ].join('\n')
}
