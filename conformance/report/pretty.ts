import { styleText } from 'node:util'
import { statementLink } from '../rules/statements.ts'
import { plural, printable } from '../transcript/printable.ts'
import { excerptLines, type Fact, facts, shortened } from './facts.ts'
import {
  byVerdict,
  type CauseGroup,
  causeGroups,
  causeHeadline,
  duration,
  headline,
  runProblems,
  tone,
  unexplained,
} from './outcome.ts'
import {
  brokenRules,
  type Ink,
  isKnown,
  type Report,
  type RuleResult,
  verdictNames,
  verdicts,
} from './report.ts'
import { type Section, sections } from './statements.ts'

/** How the text of a report looks. */
export interface Style {
  readonly color: boolean
  /** The width at which lines break, in characters; without it, no line breaks. */
  readonly columns?: number
  /** Whether only failures and the outcome are shown. */
  readonly isQuiet?: boolean
}

/** Adds the codes of an ink to a text. */
type Paint = (ink: Ink, text: string) => string

/** Returns the paint of a style; without colour, it adds nothing. */
function paintOf({ color }: Style): Paint {
  return color ? (ink, text) => styleText(ink, text, { validateStream: false }) : (_, text) => text
}

/** Breaks text between words into lines of at most `width` characters. A longer word has its own line. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Wraps text that begins at the column `indent`, which every further line begins at too. */
export function hang(text: string, indent: number, columns: number): string {
  return wrap(text, columns - indent).join(`\n${' '.repeat(indent)}`)
}

/** The column at which the text of a line begins, after the sign and id of a rule or the name of a fact. */
const textColumn = 14

/** The width of excerpts where lines are not wrapped. */
const defaultColumns = 100

/** Writes the lines of one report. */
interface Pen {
  readonly paint: Paint
  /** The width of a line. */
  readonly columns: number
  /** Makes text from a deployment printable, and wraps it after an indentation. */
  readonly text: (text: string, indent?: number) => string
}

const sign = ({ verdict }: RuleResult, { paint }: Pen): string =>
  paint(verdicts[verdict].ink, verdicts[verdict].mark)

/** The facts of the rules that a cause explains besides the first ones. */
const shortFacts: readonly Fact['name'][] = ['reason', 'expected', 'got', 'known', 'again']

/** A broken rule with its facts. */
function broken(rule: RuleResult, pen: Pen, isShort = false): string {
  const { paint, text } = pen
  const { id, level, section, title } = rule
  const shown = facts(rule).filter(({ name }) => !isShort || shortFacts.includes(name))
  return [
    `  ${sign(rule, pen)} ${paint('bold', id.padEnd(9))} ${text(title)}`,
    paint('dim', `    ${level} · section ${printable(section)} of the interface`),
    ...shown.map((fact) => `    ${paint('dim', fact.name.padEnd(9))} ${factText(fact, pen)}`),
  ].join('\n')
}

function factText({ name, text, excerpt }: Fact, pen: Pen): string {
  // a command is not wrapped, so that it can be copied
  if (name === 'again') return printable(text)
  if (excerpt === undefined) return pen.text(text)
  const [line, carets] = excerptLines(excerpt, pen.columns - textColumn)
  const indent = ' '.repeat(textColumn)
  return carets === undefined ? `${line}` : `${line}\n${indent}${pen.paint('red', carets)}`
}

/** A cause, and below it the broken rules that it explains. The facts of the first ones show the fault. */
function cause(
  { cause: { title, advice, exchanges }, number, rules, broken: its }: CauseGroup,
  pen: Pen,
): string {
  const { paint, text } = pen
  const lines = [
    ['advice', advice],
    ['explains', byVerdict(rules, shortened).join('; ')],
    ['shown by', shortened(exchanges)],
  ] as const
  const head = [
    paint('bold', `${number}. ${text(title, 3)}`),
    ...lines.map(([name, value]) => `    ${paint('dim', name.padEnd(9))} ${text(value)}`),
  ]
  return [head.join('\n'), ...its.map((rule, index) => broken(rule, pen, index > 0))].join('\n\n')
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

function penOf(style: Style): Pen {
  const { columns = Number.POSITIVE_INFINITY } = style
  return {
    paint: paintOf(style),
    columns: style.columns ?? defaultColumns,
    text: (text, indent = textColumn) => hang(printable(text), indent, columns),
  }
}

/** Returns the causes with the broken rules that each explains, and then the other broken rules, a text each. */
export function brokenTexts(report: Report, style: Style): readonly string[] {
  const pen = penOf(style)
  const { failures, warnings, known } = unexplained(report)
  const causes = causeGroups(report).filter(({ rules }) => rules.length > 0)
  const others = [...failures, ...warnings, ...known].map((rule) => broken(rule, pen))
  return [
    ...causes.map((each) => cause(each, pen)),
    ...(causes.length > 0 && others.length > 0 ? [pen.paint('bold', 'Without a common cause')] : []),
    ...others,
  ]
}

/**
 * Returns the report for a terminal: the causes and the broken rules first, then every rule by section. A quiet one has
 * the failures and the outcome.
 */
export function pretty(report: Report, style: Style): string {
  const pen = penOf(style)
  if (style.isQuiet) {
    const failures = report.rules.filter((rule) => rule.verdict === 'fail' && !isKnown(rule))
    return [...brokenTexts({ ...report, rules: failures }, style), prettySummary(report, style)].join('\n\n')
  }
  const headline = causeHeadline(report)
  const { suite, target, profile, startedAt } = report
  const about = `${suite.name} ${suite.version}, interface ${suite.interface}, profile ${profile}, ${startedAt}`
  const observations = report.observations.map(
    ({ gap, statement, observed }) => `  ${pen.text(`${gap} (${statementLink(statement)}): ${observed}`, 4)}`,
  )
  const created = report.created.map(({ id, name }) => `  ${printable(id)}  ${printable(name)}`)
  return [
    `${pen.paint('bold', printable(target.baseUrl))}\n${pen.paint('dim', printable(about))}`,
    ...(headline === undefined ? [] : [pen.paint('bold', headline)]),
    ...brokenTexts(report, style),
    ...sections(report).map((each) => section(each, pen)),
    ...list('What the interface leaves open, and what this deployment does', observations, pen),
    ...list('Animals created by this run', created, pen),
    prettySummary(report, style),
  ].join('\n\n')
}

function counts(report: Report, paint: Paint): string {
  const known = brokenRules(report).known.length
  const texts = verdictNames
    .filter((verdict) => report.summary[verdict] > 0)
    .map((verdict) => paint(verdicts[verdict].ink, `${report.summary[verdict]} ${verdicts[verdict].counted}`))
  return `${texts.join(paint('dim', ' · '))}${known > 0 ? ` (${known} known)` : ''}`
}

/** Returns the problems of the run and its outcome, a line each. */
function prettyOutcome(report: Report, style: Style): readonly string[] {
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
