import { styleText } from 'node:util'
import { formatStatementLink } from '../rules/statements.ts'
import { pluralize, toPrintable } from '../transcript/printable.ts'
import { type Fact, formatExcerpt, formatIds, listFacts } from './facts.ts'
import {
  chooseTone,
  formatCauseHeadline,
  formatDuration,
  formatHeadline,
  groupByVerdict,
  listExplainedRules,
  listRunProblems,
  listUnexplainedRules,
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
import { groupBySection, type Section } from './statements.ts'

/** How to format a report for a terminal. */
export interface Style {
  readonly color: boolean
  /** The width to wrap lines at, in characters. Lines are not wrapped by default. */
  readonly columns?: number
  /** Whether to print only failures and the summary. */
  readonly isQuiet?: boolean
}

/** Wraps a text at spaces, and indents all lines after the first. */
export function wrapText(text: string, indent: number, columns: number): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const lastLine = lines.at(-1)
    const isFitting = lastLine !== undefined && indent + lastLine.length + 1 + word.length <= columns
    lines.splice(isFitting ? -1 : lines.length, 1, isFitting ? `${lastLine} ${word}` : word)
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

/** The column where facts start, after their labels. */
const textColumn = 14

/** Formats texts in a report's style. */
interface Pen {
  readonly paint: (ink: Ink, text: string) => string
  /** The excerpts' width, in characters, even if lines are not wrapped. */
  readonly columns: number
  /** Makes a text printable and wraps it. */
  readonly text: (text: string, indent?: number) => string
}

function createPen({ color, columns }: Style): Pen {
  return {
    paint: (ink, text) => (color ? styleText(ink, text, { validateStream: false }) : text),
    columns: columns ?? 100,
    text: (text, indent = textColumn) =>
      wrapText(toPrintable(text), indent, columns ?? Number.POSITIVE_INFINITY),
  }
}

const formatMark = ({ verdict }: RuleResult, { paint }: Pen): string =>
  paint(verdicts[verdict].ink, verdicts[verdict].mark)

const formatNamed = (name: string, text: string, { paint }: Pen): string =>
  `    ${paint('dim', name.padEnd(9))} ${text}`

/** The facts to show for a rule whose cause is the same as the previous rule's. */
const shortFacts: readonly string[] = ['reason', 'expected', 'got', 'known', 'again']

function formatBrokenRule(rule: RuleResult, pen: Pen, isShort = false): string {
  const { id, level, section, title } = rule
  const shownFacts = listFacts(rule).filter(({ name }) => !isShort || shortFacts.includes(name))
  return [
    `  ${formatMark(rule, pen)} ${pen.paint('bold', id.padEnd(9))} ${pen.text(title)}`,
    pen.paint('dim', `    ${level} · section ${toPrintable(section)} of the interface`),
    ...shownFacts.map((fact) => formatNamed(fact.name, formatFactText(fact, pen), pen)),
  ].join('\n')
}

function formatFactText({ name, text, excerpt }: Fact, pen: Pen): string {
  // A command is not wrapped, so that it can be copied.
  if (name === 'again') return toPrintable(text)
  if (excerpt === undefined) return pen.text(text)
  const [line = '', carets] = formatExcerpt(excerpt, pen.columns - textColumn)
  return carets === undefined ? line : `${line}\n${' '.repeat(textColumn)}${pen.paint('red', carets)}`
}

function formatCauseTexts(cause: Cause, index: number, report: Report, pen: Pen): readonly string[] {
  const rules = listExplainedRules(cause, report)
  const explainedLines = groupByVerdict(rules).map(({ count, ids }) => `${count}: ${formatIds(ids)}`)
  const headLines = [
    pen.paint('bold', `${index + 1}. ${pen.text(cause.title, 3)}`),
    formatNamed('advice', pen.text(cause.advice), pen),
    formatNamed('explains', pen.text(explainedLines.join('; ')), pen),
    formatNamed('shown by', pen.text(formatIds(cause.exchanges)), pen),
  ]
  return [
    headLines.join('\n'),
    ...rules.filter(isBroken).map((rule, at) => formatBrokenRule(rule, pen, at > 0)),
  ]
}

function formatJudgedRule(rule: RuleResult, pen: Pen): string {
  const title = pen.text(isKnown(rule) ? `${rule.title} (known failure)` : rule.title)
  const line = `  ${formatMark(rule, pen)} ${rule.id.padEnd(9)} ${title}`
  if (rule.verdict !== 'inconclusive') return line
  return `${line}\n${' '.repeat(textColumn)}${pen.paint('dim', pen.text(rule.reason))}`
}

/** Formats the rules that do not apply or were not run. Rules with the same reason share a line. */
function formatUnjudgedRules(
  rules: readonly RuleResult[],
  verdict: 'not-applicable' | 'not-run',
  pen: Pen,
): readonly string[] {
  const { mark, label } = verdicts[verdict]
  const rulesWithVerdict = rules.filter((rule) => rule.verdict === verdict)
  return [...new Set(rulesWithVerdict.map(({ reason }) => reason))].map((reason) => {
    const ruleIds = rulesWithVerdict.filter((rule) => rule.reason === reason).map(({ id }) => id)
    return pen.paint('dim', `  ${mark} ${pen.text(`${ruleIds.join(', ')}: ${label}, ${reason}`, 4)}`)
  })
}

function formatSectionLines({ rules }: Section, pen: Pen): readonly string[] {
  const judgedRules = rules.filter(({ verdict }) => verdict !== 'not-applicable' && verdict !== 'not-run')
  return [
    ...judgedRules.map((rule) => formatJudgedRule(rule, pen)),
    ...formatUnjudgedRules(rules, 'not-applicable', pen),
    ...formatUnjudgedRules(rules, 'not-run', pen),
  ]
}

export type TextPart = readonly [heading: string, text: string]

function formatBrokenParts(report: Report, pen: Pen): readonly TextPart[] {
  const causes = report.causes
    .map((cause, index) => formatCauseTexts(cause, index, report, pen))
    .filter(([, ...rules]) => rules.length > 0)
  const unexplainedRules = listUnexplainedRules(report).map((rule) => formatBrokenRule(rule, pen))
  const unexplainedHeading = causes.length > 0 ? 'Failures without a common cause' : 'Failures and warnings'
  const parts: readonly TextPart[] = [
    [formatCauseHeadline(report) ?? 'Causes', causes.flat().join('\n\n')],
    [unexplainedHeading, unexplainedRules.join('\n\n')],
  ]
  return parts.filter(([, text]) => text !== '')
}

/** Formats a report's parts, without the head and the summary. */
export function formatParts(report: Report, style: Style): readonly TextPart[] {
  const stylePen = createPen(style)
  const observations = report.observations.map(
    ({ gap, statement, observed }) =>
      `  ${stylePen.text(`${gap} (${formatStatementLink(statement)}): ${observed}`, 4)}`,
  )
  const createdAnimals = report.created.map(({ id, name }) => `  ${toPrintable(id)}  ${toPrintable(name)}`)
  const parts: readonly TextPart[] = [
    ...formatBrokenParts(report, stylePen),
    ...groupBySection(report).map(
      (each): TextPart => [each.name, formatSectionLines(each, stylePen).join('\n')],
    ),
    ['Behavior that the interface leaves open', observations.join('\n')],
    ['Animals created by this run', createdAnimals.join('\n')],
  ]
  return parts.filter(([, text]) => text !== '')
}

/** Describes a run in two lines: the deployment, and the versions, profile and time. */
export function describeRun({ suite, target, profile, startedAt }: Report): readonly [string, string] {
  const suiteLine = `${suite.name} ${suite.version}, interface ${suite.interface}, profile ${profile}, ${startedAt}`
  return [toPrintable(target.baseUrl), toPrintable(suiteLine)]
}

/** Formats a report for a terminal: first the causes and the broken rules, then all rules by section. */
export function formatPretty(report: Report, style: Style): string {
  const stylePen = createPen(style)
  const { paint } = stylePen
  const formatTexts = (parts: readonly TextPart[]): readonly string[] =>
    parts.map(([heading, text]) => `${paint('bold', toPrintable(heading))}\n${text}`)
  if (style.isQuiet) {
    const brokenRules = listBrokenRules(report).failures
    const reportParts = formatBrokenParts({ ...report, rules: brokenRules }, stylePen)
    return [...formatTexts(reportParts), formatSummary(report, style)].join('\n\n')
  }
  const [target, by] = describeRun(report)
  const headLine = `${paint('bold', target)}\n${paint('dim', by)}`
  return [headLine, ...formatTexts(formatParts(report, style)), formatSummary(report, style)].join('\n\n')
}

function formatCounts(report: Report, { paint }: Pen): string {
  const knownFailureCount = listBrokenRules(report).known.length
  const countTexts = verdictNames
    .filter((verdict) => report.summary[verdict] > 0)
    .map((verdict) => paint(verdicts[verdict].ink, `${report.summary[verdict]} ${verdicts[verdict].label}`))
  return `${countTexts.join(paint('dim', ' · '))}${knownFailureCount > 0 ? ` (${knownFailureCount} known)` : ''}`
}

/** Formats a report's summary: causes, problems, counts and the outcome. */
export function formatSummary(report: Report, style: Style): string {
  const stylePen = createPen(style)
  const { paint, text } = stylePen
  const { requests, creates, causes, notes } = report
  const problems = listRunProblems(report).map(
    ({ title, message }) => `${paint('yellow', title)}: ${toPrintable(message)}`,
  )
  const summaryLines = [paint('bold', paint(verdicts[chooseTone(report)].ink, formatHeadline(report))), '']
  if (style.isQuiet) return [...problems, ...summaryLines].join('\n')
  const flightTexts = report.groups.map(
    ({ name, requests, inFlight }) => `${inFlight} of ${requests} (${name})`,
  )
  const flightsNote = flightTexts.length > 0 ? `; in parallel: ${toPrintable(flightTexts.join(', '))}` : ''
  const costLine = `${pluralize(requests, 'request')} in ${formatDuration(report)}, ${pluralize(creates, 'animal')} created${flightsNote}`
  return [
    ...causes.map(({ title }, index) => `${index + 1}. ${text(title, 3)}`),
    ...notes.map(({ message }) => paint('yellow', `Note: ${toPrintable(message)}`)),
    ...problems,
    formatCounts(report, stylePen),
    paint('dim', costLine),
    ...summaryLines,
  ].join('\n')
}
