import { toPrintable, toPrintableJson } from '../transcript/printable.ts'
import { listFacts } from './facts.ts'
import { formatHtml } from './html.ts'
import { formatMarkdown } from './markdown.ts'
import { type Markup, markup } from './markup.ts'
import { formatCauseHeadline, formatHeadline, listRunProblems } from './outcome.ts'
import { formatPretty, type Style } from './pretty.ts'
import { isKnown, listBrokenRules, type Report, type RuleResult } from './report.ts'

/** Formats a report. The text ends with a line feed. Only `pretty` depends on the style. */
export type Formatter = (report: Report, style: Style) => string

export type Format = 'pretty' | 'json' | 'junit' | 'markdown' | 'html' | 'github'

/** All report formats, by their names in `--format`. */
export const formats: Readonly<Record<Format, Formatter>> = {
  pretty: formatPretty,
  json: formatJson,
  junit: formatJunit,
  markdown: formatMarkdown,
  html: formatHtml,
  github: formatGithub,
}

export const formatNames: readonly Format[] =
  // `Object.keys` returns `string[]`, but the literal has only these keys
  Object.keys(formats) as Format[]

export function formatJson(report: Report): string {
  return `${toPrintableJson(report)}\n`
}

/** Formats a report as annotations for GitHub Actions, the most important ones first. */
export function formatGithub(report: Report): string {
  const { failures, warnings, known } = listBrokenRules(report)
  const title = formatCauseHeadline(report)
  const causeAnnotations = report.causes.flatMap(({ title: what, advice, rules }, index) => [
    `${index + 1}. ${what}`,
    `${advice} (explains ${rules.join(', ')})`,
  ])
  const inconclusiveIds = report.rules.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id)
  return [
    ...(title === undefined
      ? []
      : [formatAnnotation(failures.length > 0 ? 'error' : 'warning', title, ...causeAnnotations)]),
    ...failures.map((rule) => annotateRule('error', rule, report)),
    ...listRunProblems(report).map((problem) => formatAnnotation('error', problem.title, problem.message)),
    ...report.notes.map((note) => formatAnnotation('notice', 'Note on the run', note.message)),
    ...warnings.map((rule) => annotateRule('warning', rule, report)),
    ...known.map((rule) => annotateRule('notice', rule, report)),
    ...(inconclusiveIds.length > 0
      ? [formatAnnotation('notice', 'Not judged (no evidence)', inconclusiveIds.join(', '))]
      : []),
    `${toPrintable(report.target.baseUrl)}: ${toPrintable(formatHeadline(report))}`,
    '',
  ].join('\n')
}

type Severity = 'error' | 'warning' | 'notice'

function annotateRule(severity: Severity, rule: RuleResult, report: Report): string {
  const { id, level, section, title } = rule
  const heading = `${id} (${level}, section ${section})`
  return formatAnnotation(severity, heading, title, ...formatFactLines(rule, report))
}

function formatFactLines(rule: RuleResult, { causes }: Report): readonly string[] {
  return listFacts(rule, causes).map(({ name, text }) => `${name}: ${text}`)
}

function formatAnnotation(severity: Severity, title: string, ...lines: readonly string[]): string {
  return `::${severity} title=${escapeProperty(title)}::${lines.map(escapeMessage).join('%0A')}`
}

/** Escapes a workflow command's message. `%` is the escape character. */
const escapeMessage = (text: string): string => toPrintable(text).replaceAll('%', '%25')

/** Escapes a workflow command's property, which `:` and `,` would end. */
const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** A JUnit test case. Readers treat the part before the last dot in a class name as the package. */
interface TestCase {
  readonly className: string
  readonly name: string
  readonly status: 'failure' | 'skipped' | 'error' | 'passed'
  readonly content?: Markup
}

function createRuleCase(rule: RuleResult, report: Report): TestCase {
  const { id, level, title, verdict, reason, known } = rule
  const test = { className: `rules.${id.split('-')[0]}`, name: `${id} ${level}: ${title}` }
  const details = markup`${formatFactLines(rule, report).map((line) => markup`${line}\n`)}`
  if (isKnown(rule)) return { ...test, ...createSkipped(`known failure (${known}): ${reason}`) }
  if (verdict === 'pass') return { ...test, status: 'passed' }
  if (verdict === 'warn')
    return { ...test, status: 'passed', content: markup`<system-out>warning\n${details}</system-out>` }
  if (verdict !== 'fail') return { ...test, ...createSkipped(`${verdict}: ${reason}`) }
  const content = markup`<failure type="${level}" message="${reason}">${details}</failure>`
  return { ...test, status: 'failure', content }
}

function createSkipped(why: string): Pick<TestCase, 'status' | 'content'> {
  return { status: 'skipped', content: markup`<skipped message="${why}"/>` }
}

/** Creates test cases for problems and notes that concern the whole run. */
function createRunCases(report: Report): readonly TestCase[] {
  const className = 'rules.run'
  return [
    ...listRunProblems(report).map(({ kind, title, message }): TestCase => {
      const tag = markup`${kind}`
      const content = markup`<${tag} type="run" message="${message}"/>`
      return { className, name: title, status: kind, content }
    }),
    ...report.notes.map(({ message }, index): TestCase => {
      const content = markup`<system-out>${message}</system-out>`
      return { className, name: `Note ${index + 1}`, status: 'passed', content }
    }),
  ]
}

/**
 * Formats a report as JUnit XML, with only what the schemas of Jenkins' xunit plugin and Maven Surefire both allow.
 * Rules without a verdict are skipped.
 */
export function formatJunit(report: Report): string {
  const cases = [...createRunCases(report), ...report.rules.map((rule) => createRuleCase(rule, report))]
  const countStatus = (status: TestCase['status']): number =>
    cases.filter((each) => each.status === status).length
  const countAttributes = markup`tests="${cases.length}" failures="${countStatus('failure')}" errors="${countStatus('error')}" skipped="${countStatus('skipped')}"`
  const { suite, target, durationMs } = report
  const lines = cases.map(
    ({ className, name, content }) =>
      markup`  <testcase classname="${className}" name="${name}" time="0">${content}</testcase>\n`,
  )
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="${suite.name} ${target.baseUrl}" ${countAttributes} time="${(durationMs / 1000).toFixed(3)}">
${lines}</testsuite>
`.text
}
