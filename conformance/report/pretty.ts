import { styleText } from 'node:util'
import { formatStatementLink } from '../rules/statements.ts'
import { plural, printable } from '../transcript/printable.ts'
import { type Fact, facts, formatExcerpt, shortened } from './facts.ts'
import {
  duration,
  explainedBy,
  findUnexplained,
  formatCauseHeadline,
  formatHeadline,
  groupByVerdict,
  runProblems,
  tone,
} from './outcome.ts'
import {
  type Cause,
  type Ink,
  isBroken,
  isKnown,
  listBrokenRules,
  type Report,
  type RuleResult,
  verdictNames,
  verdicts,
} from './report.ts'
import { type Section, sections } from './statements.ts'

/** The look of the text of a report. */
export interface Style {
  readonly color: boolean
  /** Maximum width of a line, in characters; without it, no line breaks. */
  readonly columns?: number
  /** Show only failures and the outcome. */
  readonly isQuiet?: boolean
}

/** Wraps text between words, after an indentation of its first line that every further line has too. */
export function hang(text: string, indent: number, columns: number): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const isFitting = last !== undefined && indent + last.length + 1 + word.length <= columns
    lines.splice(isFitting ? -1 : lines.length, 1, isFitting ? `${last} ${word}` : word)
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

/** The first column of the text of a line, after the sign and id of a rule or the name of a fact. */
const textColumn = 14

/** Writes the lines of one report. */
interface Pen {
  /** Adds the codes of an ink to a text; without colour, nothing. */
  readonly paint: (ink: Ink, text: string) => string
  /** The width of an excerpt, also if lines are not wrapped. */
  readonly columns: number
  /** Makes text from a deployment printable, and wraps it after an indentation. */
  readonly text: (text: string, indent?: number) => string
}

function createPen({ color, columns }: Style): Pen {
  return {
    paint: (ink, text) => (color ? styleText(ink, text, { validateStream: false }) : text),
    columns: columns ?? 100,
    text: (text, indent = textColumn) => hang(printable(text), indent, columns ?? Number.POSITIVE_INFINITY),
  }
}

const sign = ({ verdict }: RuleResult, { paint }: Pen): string =>
  paint(verdicts[verdict].ink, verdicts[verdict].mark)

/** A line with a name before its text. */
const named = (name: string, text: string, { paint }: Pen): string =>
  `    ${paint('dim', name.padEnd(9))} ${text}`

/** The facts of the further rules that a cause explains. */
const shortFacts: readonly string[] = ['reason', 'expected', 'got', 'known', 'again']

/** A broken rule with its facts. */
function broken(rule: RuleResult, pen: Pen, isShort = false): string {
  const { id, level, section, title } = rule
  const shown = facts(rule).filter(({ name }) => !isShort || shortFacts.includes(name))
  return [
    `  ${sign(rule, pen)} ${pen.paint('bold', id.padEnd(9))} ${pen.text(title)}`,
    pen.paint('dim', `    ${level} · section ${printable(section)} of the interface`),
    ...shown.map((fact) => named(fact.name, factText(fact, pen), pen)),
  ].join('\n')
}

function factText({ name, text, excerpt }: Fact, pen: Pen): string {
  // a command is not wrapped, so that it can be copied
  if (name === 'again') return printable(text)
  if (excerpt === undefined) return pen.text(text)
  const [line = '', carets] = formatExcerpt(excerpt, pen.columns - textColumn)
  return carets === undefined ? line : `${line}\n${' '.repeat(textColumn)}${pen.paint('red', carets)}`
}

/** A cause, and below it the broken rules that it explains. The facts of the first one show the fault. */
function causeTexts(cause: Cause, index: number, report: Report, pen: Pen): readonly string[] {
  const rules = explainedBy(cause, report)
  const explained = groupByVerdict(rules).map(({ count, ids }) => `${count}: ${shortened(ids)}`)
  const head = [
    pen.paint('bold', `${index + 1}. ${pen.text(cause.title, 3)}`),
    named('advice', pen.text(cause.advice), pen),
    named('explains', pen.text(explained.join('; ')), pen),
    named('shown by', pen.text(shortened(cause.exchanges)), pen),
  ]
  return [head.join('\n'), ...rules.filter(isBroken).map((rule, at) => broken(rule, pen, at > 0))]
}

function judged(rule: RuleResult, pen: Pen): string {
  const title = pen.text(isKnown(rule) ? `${rule.title} (known failure)` : rule.title)
  const line = `  ${sign(rule, pen)} ${rule.id.padEnd(9)} ${title}`
  if (rule.verdict !== 'inconclusive') return line
  return `${line}\n${' '.repeat(textColumn)}${pen.paint('dim', pen.text(rule.reason))}`
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

function sectionLines({ rules }: Section, pen: Pen): readonly string[] {
  const judgedRules = rules.filter(({ verdict }) => verdict !== 'not-applicable' && verdict !== 'not-run')
  return [
    ...judgedRules.map((rule) => judged(rule, pen)),
    ...notJudged(rules, 'not-applicable', pen),
    ...notJudged(rules, 'not-run', pen),
  ]
}

/** A part of a report as text. */
export type TextPart = readonly [heading: string, text: string]

/** Returns the causes with the broken rules that each explains, and the other broken rules. */
function brokenParts(report: Report, pen: Pen): readonly TextPart[] {
  const causes = report.causes
    .map((cause, index) => causeTexts(cause, index, report, pen))
    .filter(([, ...rules]) => rules.length > 0)
  const others = findUnexplained(report).map((rule) => broken(rule, pen))
  const parts: readonly TextPart[] = [
    [formatCauseHeadline(report) ?? 'Causes', causes.flat().join('\n\n')],
    [causes.length > 0 ? 'Without a common cause' : 'What is broken', others.join('\n\n')],
  ]
  return parts.filter(([, text]) => text !== '')
}

/** Returns the broken rules, every rule by section, the observations, and the animals created. */
export function formatParts(report: Report, style: Style): readonly TextPart[] {
  const pen = createPen(style)
  const observations = report.observations.map(
    ({ gap, statement, observed }) =>
      `  ${pen.text(`${gap} (${formatStatementLink(statement)}): ${observed}`, 4)}`,
  )
  const created = report.created.map(({ id, name }) => `  ${printable(id)}  ${printable(name)}`)
  const parts: readonly TextPart[] = [
    ...brokenParts(report, pen),
    ...sections(report).map((each): TextPart => [each.name, sectionLines(each, pen).join('\n')]),
    ['What the interface leaves open, and what this deployment does', observations.join('\n')],
    ['Animals created by this run', created.join('\n')],
  ]
  return parts.filter(([, text]) => text !== '')
}

/** Returns the address that was judged and the suite that judged it, in two lines. */
export function about({ suite, target, profile, startedAt }: Report): readonly [string, string] {
  const by = `${suite.name} ${suite.version}, interface ${suite.interface}, profile ${profile}, ${startedAt}`
  return [printable(target.baseUrl), printable(by)]
}

/**
 * Returns the report for a terminal: the causes and the broken rules first, then every rule by section. A quiet one has
 * the failures and the outcome.
 */
export function pretty(report: Report, style: Style): string {
  const pen = createPen(style)
  const { paint } = pen
  const texts = (parts: readonly TextPart[]): readonly string[] =>
    parts.map(([heading, text]) => `${paint('bold', printable(heading))}\n${text}`)
  if (style.isQuiet) {
    const failures = listBrokenRules(report).failures
    const parts = brokenParts({ ...report, rules: failures }, pen)
    return [...texts(parts), formatSummary(report, style)].join('\n\n')
  }
  const [target, by] = about(report)
  const head = `${paint('bold', target)}\n${paint('dim', by)}`
  return [head, ...texts(formatParts(report, style)), formatSummary(report, style)].join('\n\n')
}

function counts(report: Report, { paint }: Pen): string {
  const known = listBrokenRules(report).known.length
  const texts = verdictNames
    .filter((verdict) => report.summary[verdict] > 0)
    .map((verdict) => paint(verdicts[verdict].ink, `${report.summary[verdict]} ${verdicts[verdict].counted}`))
  return `${texts.join(paint('dim', ' · '))}${known > 0 ? ` (${known} known)` : ''}`
}

/** Returns a summary of a few lines: the causes and the problems of the run, its counts and its outcome. */
export function formatSummary(report: Report, style: Style): string {
  const pen = createPen(style)
  const { paint, text } = pen
  const { requests, creates, causes, notes } = report
  const problems = runProblems(report).map(
    ({ title, message }) => `${paint('yellow', title)}: ${printable(message)}`,
  )
  const ending = [paint('bold', paint(verdicts[tone(report)].ink, formatHeadline(report))), '']
  if (style.isQuiet) return [...problems, ...ending].join('\n')
  const cost = `${plural(requests, 'request')} in ${duration(report)}, ${plural(creates, 'animal')} created`
  return [
    ...causes.map(({ title }, index) => `${index + 1}. ${text(title, 3)}`),
    ...notes.map(({ message }) => paint('yellow', `Note: ${printable(message)}`)),
    ...problems,
    counts(report, pen),
    paint('dim', cost),
    ...ending,
  ].join('\n')
}
