import { statementLink } from '../statements.ts'
import { type Paint, paintOf, type Style } from './ansi.ts'
import { facts } from './facts.ts'
import { prettySummary } from './pretty-summary.ts'
import { printable } from './printable.ts'
import type { Report, RuleResult } from './report.ts'
import { type Section, sections } from './sections.ts'
import { brokenRules, isKnown, verdicts } from './verdicts.ts'
import { hang } from './wrap.ts'

/** The column at which the text of a line begins, after the sign and id of a rule or the name of a fact. */
const textColumn = 14

/** Writes the lines of one report. */
interface Pen {
  readonly paint: Paint
  /** Makes text from a deployment printable, and wraps it after an indentation. */
  readonly text: (text: string, indent?: number) => string
}

const sign = ({ verdict }: RuleResult, { paint }: Pen): string =>
  paint(verdicts[verdict].ink, verdicts[verdict].mark)

function broken(rule: RuleResult, pen: Pen): string {
  const { paint, text } = pen
  return [
    `  ${sign(rule, pen)} ${paint('bold', rule.id.padEnd(9))} ${text(rule.title)}`,
    paint('dim', `    ${rule.level} · section ${printable(rule.section)} of the interface`),
    ...facts(rule).map(
      (fact) =>
        // a command is not wrapped, so that it can be copied
        `    ${paint('dim', fact.name.padEnd(9))} ${fact.name === 'again' ? printable(fact.text) : text(fact.text)}`,
    ),
  ].join('\n')
}

function judged(rule: RuleResult, pen: Pen): string {
  const { paint, text } = pen
  const line = `  ${sign(rule, pen)} ${rule.id.padEnd(9)} ${text(rule.title)}`
  if (isKnown(rule)) return `${line} ${paint('dim', '(known failure)')}`
  if (rule.verdict !== 'inconclusive') return line
  return `${line}\n${' '.repeat(textColumn)}${paint('dim', text(rule.reason))}`
}

/** Rules that were not judged, one line for each reason. */
function notJudged(
  rules: readonly RuleResult[],
  verdict: 'not-applicable' | 'not-run',
  pen: Pen,
): readonly string[] {
  const { mark, counted } = verdicts[verdict]
  const those = rules.filter((rule) => rule.verdict === verdict)
  return [...new Set(those.map(({ reason }) => reason))].map((reason) => {
    const ids = those.filter((rule) => rule.reason === reason).map(({ id }) => id)
    return pen.paint('dim', `  ${mark} ${pen.text(`${ids.join(', ')}: ${counted}, ${reason}`, 4)}`)
  })
}

function section({ name, rules }: Section, pen: Pen): string {
  const judgedRules = rules.filter(({ verdict }) => verdict !== 'not-applicable' && verdict !== 'not-run')
  return [
    pen.paint('bold', printable(name)),
    ...judgedRules.map((rule) => judged(rule, pen)),
    ...notJudged(rules, 'not-applicable', pen),
    ...notJudged(rules, 'not-run', pen),
  ].join('\n')
}

function list(title: string, items: readonly string[], { paint }: Pen): readonly string[] {
  return items.length === 0 ? [] : [[paint('bold', title), ...items].join('\n')]
}

/** Returns the report for a terminal: the broken rules first, then every rule by section. */
export function pretty(report: Report, style: Style): string {
  const { columns = Number.POSITIVE_INFINITY } = style
  const pen: Pen = {
    paint: paintOf(style),
    text: (text, indent = textColumn) => hang(printable(text), indent, columns),
  }
  const { suite, target, profile, startedAt } = report
  const { failures, warnings, known } = brokenRules(report)
  const about = `${suite.name} ${suite.version}, interface ${suite.interface}, profile ${profile}, ${startedAt}`
  const observations = report.observations.map(
    ({ gap, statement, observed }) => `  ${pen.text(`${gap} (${statementLink(statement)}): ${observed}`, 4)}`,
  )
  const created = report.created.map(({ id, name }) => `  ${printable(id)}  ${printable(name)}`)
  return [
    `${pen.paint('bold', printable(target.baseUrl))}\n${pen.paint('dim', printable(about))}`,
    ...[...failures, ...warnings, ...known].map((rule) => broken(rule, pen)),
    ...sections(report).map((each) => section(each, pen)),
    ...list('What the interface leaves open, and what this deployment does', observations, pen),
    ...list('Animals created by this run', created, pen),
    prettySummary(report, style),
  ].join('\n\n')
}
