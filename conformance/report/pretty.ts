import { type Paint, paintOf, type Style } from './ansi.ts'
import { facts } from './facts.ts'
import { prettySummary } from './pretty-summary.ts'
import { printable } from './printable.ts'
import type { Report, RuleResult } from './report.ts'
import { type Section, sections } from './sections.ts'
import { brokenRules, isKnown, verdicts } from './verdicts.ts'
import { hang } from './wrap.ts'

/** Where the text of a line begins, after the rule's sign and id or the fact's name. */
const textColumn = 14

/** What writes the lines of one report. */
interface Pen {
  readonly paint: Paint
  /** Text from a deployment, which begins that far into its line. */
  readonly text: (text: string, indent?: number) => string
}

const sign = ({ verdict }: RuleResult, { paint }: Pen): string =>
  paint(verdicts[verdict].ink, verdicts[verdict].mark)

function broken(rule: RuleResult, pen: Pen): string {
  const { paint, text } = pen
  return [
    `  ${sign(rule, pen)} ${paint('bold', rule.id.padEnd(9))} ${text(rule.title)}`,
    paint('dim', `    ${rule.level} · section ${printable(rule.section)} of the specification`),
    ...facts(rule).map(
      (fact) =>
        // a command stays on one line, to be copied
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

/** Rules that were left out for the same reason, together. */
function leftOut(rules: readonly RuleResult[], { paint, text }: Pen): readonly string[] {
  const groups = new Map<string, RuleResult[]>()
  for (const rule of rules) groups.set(rule.reason, [...(groups.get(rule.reason) ?? []), rule])
  return [...groups].flatMap(([reason, [first, ...others]]) => {
    if (first === undefined) return []
    const { mark, counted } = verdicts[first.verdict]
    const ids = [first, ...others].map(({ id }) => id).join(', ')
    return paint('dim', `  ${mark} ${text(`${ids}: ${counted}, ${reason}`, 4)}`)
  })
}

function section({ name, rules }: Section, pen: Pen): string {
  const isLeftOut = ({ verdict }: RuleResult): boolean =>
    verdict === 'not-run' || verdict === 'not-applicable'
  const lines = rules.filter((rule) => !isLeftOut(rule)).map((rule) => judged(rule, pen))
  return [pen.paint('bold', printable(name)), ...lines, ...leftOut(rules.filter(isLeftOut), pen)].join('\n')
}

function list(title: string, items: readonly string[], { paint }: Pen): readonly string[] {
  return items.length === 0 ? [] : [[paint('bold', title), ...items].join('\n')]
}

/** The report for a person at a terminal: what is broken first, then every rule by section. */
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
    ({ gap, section, observed }) => `  ${pen.text(`${gap} (${section}): ${observed}`, 4)}`,
  )
  const created = report.created.map(({ id, name }) => `  ${printable(id)}  ${printable(name)}`)
  return [
    `${pen.paint('bold', printable(target.baseUrl))}\n${pen.paint('dim', printable(about))}`,
    ...[...failures, ...warnings, ...known].map((rule) => broken(rule, pen)),
    ...sections(report).map((each) => section(each, pen)),
    ...list('What the specification leaves open, and what this deployment does', observations, pen),
    ...list('Animals created by this run', created, pen),
    prettySummary(report, style),
  ].join('\n\n')
}
