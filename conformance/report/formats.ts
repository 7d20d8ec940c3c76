import { printable, printableJson } from '../transcript/printable.ts'
import { html } from './html.ts'
import { markdown } from './markdown.ts'
import { type Markup, markup } from './markup.ts'
import { causeGroups, causeHeadline, factsOf, headline, runProblems } from './outcome.ts'
import { pretty, type Style } from './pretty.ts'
import { brokenRules, isKnown, type Report, type RuleResult } from './report.ts'

/** Returns the text of a report, with a line feed at its end. Only pretty has a style. */
export type Formatter = (report: Report, style: Style) => string

export type Format = 'pretty' | 'json' | 'junit' | 'markdown' | 'html' | 'github'

/** Every format by its name in `--format`. */
export const formats: Readonly<Record<Format, Formatter>> = { pretty, json, junit, markdown, html, github }

/** The names of all formats. */
export const formatNames: readonly Format[] =
  // a literal's own keys
  Object.keys(formats) as Format[]

/** Returns the report as JSON. Control characters are escaped, so that a terminal can show it. */
export function json(report: Report): string {
  return `${printableJson(report)}\n`
}

/**
 * Returns workflow commands of GitHub Actions: an annotation for the causes, each broken rule and each problem of the
 * run.
 */
export function github(report: Report): string {
  const { failures, warnings, known } = brokenRules(report)
  const title = causeHeadline(report)
  const causes = causeGroups(report).flatMap(({ number, cause: { title: what, advice, rules } }) => [
    `${number}. ${what}`,
    `${advice} (explains ${rules.join(', ')})`,
  ])
  const open = report.rules.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id)
  return [
    ...(title === undefined ? [] : [annotation(failures.length > 0 ? 'error' : 'warning', title, ...causes)]),
    ...failures.map((rule) => annotated('error', rule, report)),
    ...runProblems(report).map((problem) => annotation('error', problem.title, problem.message)),
    ...report.notes.map((note) => annotation('notice', 'Note on the run', note.message)),
    ...warnings.map((rule) => annotated('warning', rule, report)),
    ...known.map((rule) => annotated('notice', rule, report)),
    ...(open.length > 0 ? [annotation('notice', 'Not judged for lack of evidence', open.join(', '))] : []),
    `${printable(report.target.baseUrl)}: ${printable(headline(report))}`,
    '',
  ].join('\n')
}

type Severity = 'error' | 'warning' | 'notice'

function annotated(severity: Severity, rule: RuleResult, report: Report): string {
  const { id, level, section, title } = rule
  const lines = [title, ...factsOf(rule, report).map(({ name, text }) => `${name}: ${text}`)]
  return annotation(severity, `${id} (${level}, section ${section})`, ...lines)
}

function annotation(severity: Severity, title: string, ...lines: readonly string[]): string {
  return `::${severity} title=${property(title)}::${lines.map(message).join('%0A')}`
}

/** The message of a workflow command, in which `%` is the escape character. */
const message = (text: string): string => printable(text).replaceAll('%', '%25')

/** A property of a workflow command, which `:` and `,` would otherwise end. */
const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** A test case of JUnit. */
interface Case {
  /** A name with a dot. Readers of JUnit files take the part before the last dot for a package. */
  readonly className: string
  readonly name: string
  readonly status: 'failure' | 'skipped' | 'error' | 'passed'
  readonly content?: Markup
}

/** The facts about a rule, a line each. */
function details(rule: RuleResult, report: Report): Markup {
  return markup`${factsOf(rule, report).map(({ name, text }) => markup`${name}: ${text}\n`)}`
}

function ruleOutcome(rule: RuleResult, report: Report): Pick<Case, 'status' | 'content'> {
  const { verdict, level, reason, known } = rule
  if (verdict === 'pass') return { status: 'passed' }
  if (verdict === 'warn')
    return { status: 'passed', content: markup`<system-out>warning\n${details(rule, report)}</system-out>` }
  if (verdict === 'fail' && !isKnown(rule)) {
    const content = markup`<failure type="${level}" message="${reason}">${details(rule, report)}</failure>`
    return { status: 'failure', content }
  }
  const why = isKnown(rule) ? `known failure (${known}): ${reason}` : `${verdict}: ${reason}`
  return { status: 'skipped', content: markup`<skipped message="${why}"/>` }
}

/** The problems of the run: a problem of the set-up is an error, a known failure that no longer fails is a failure. */
function runCases(report: Report): readonly Case[] {
  const className = 'rules.run'
  return [
    ...runProblems(report).map(({ kind, title, message }): Case => {
      const content =
        kind === 'error' ? markup`<error message="${message}"/>` : markup`<failure message="${message}"/>`
      return { className, name: title, status: kind, content }
    }),
    ...report.notes.map(({ message }, index): Case => {
      const content = markup`<system-out>${message}</system-out>`
      return { className, name: `Note ${index + 1}`, status: 'passed', content }
    }),
  ]
}

/** Returns JUnit XML with a case for each rule and for what happened to the run. Rules that were not judged are skipped. */
export function junit(report: Report): string {
  const ofRules = report.rules.map((rule): Case => {
    const { id, level, title } = rule
    const className = `rules.${id.split('-')[0]}`
    return { className, name: `${id} ${level}: ${title}`, ...ruleOutcome(rule, report) }
  })
  const cases = [...runCases(report), ...ofRules]
  const count = (status: Case['status']): number => cases.filter((each) => each.status === status).length
  const counts = markup`tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
  const { suite, target, startedAt, durationMs } = report
  const lines = cases.map(
    ({ className, name, content }) =>
      markup`    <testcase classname="${className}" name="${name}">${content}</testcase>\n`,
  )
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${suite.name} ${target.baseUrl}" ${counts} time="${(durationMs / 1000).toFixed(3)}">
  <testsuite name="${suite.name}" ${counts} timestamp="${startedAt}">
${lines}  </testsuite>
</testsuites>
`.text
}
