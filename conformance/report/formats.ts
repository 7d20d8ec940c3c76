import { printable, printableJson } from '../transcript/printable.ts'
import { facts } from './facts.ts'
import { html } from './html.ts'
import { markdown } from './markdown.ts'
import { type Markup, markup } from './markup.ts'
import { formatCauseHeadline, formatHeadline, runProblems } from './outcome.ts'
import { pretty, type Style } from './pretty.ts'
import { isKnown, listBrokenRules, type Report, type RuleResult } from './report.ts'

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
  const { failures, warnings, known } = listBrokenRules(report)
  const title = formatCauseHeadline(report)
  const causes = report.causes.flatMap(({ title: what, advice, rules }, index) => [
    `${index + 1}. ${what}`,
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
    `${printable(report.target.baseUrl)}: ${printable(formatHeadline(report))}`,
    '',
  ].join('\n')
}

type Severity = 'error' | 'warning' | 'notice'

function annotated(severity: Severity, rule: RuleResult, report: Report): string {
  const { id, level, section, title } = rule
  return annotation(severity, `${id} (${level}, section ${section})`, title, ...factLines(rule, report))
}

/** The facts about a rule, a line each. */
function factLines(rule: RuleResult, { causes }: Report): readonly string[] {
  return facts(rule, causes).map(({ name, text }) => `${name}: ${text}`)
}

function annotation(severity: Severity, title: string, ...lines: readonly string[]): string {
  return `::${severity} title=${property(title)}::${lines.map(message).join('%0A')}`
}

/** The message of a workflow command. Its escape character is `%`. */
const message = (text: string): string => printable(text).replaceAll('%', '%25')

/** A property of a workflow command, which `:` and `,` would otherwise end. */
const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** A test case of JUnit. Its class has a dot: readers of JUnit take the part before the last one for a package. */
interface Case {
  readonly className: string
  readonly name: string
  readonly status: 'failure' | 'skipped' | 'error' | 'passed'
  readonly content?: Markup
}

function ruleCase(rule: RuleResult, report: Report): Case {
  const { id, level, title, verdict, reason, known } = rule
  const test = { className: `rules.${id.split('-')[0]}`, name: `${id} ${level}: ${title}` }
  const details = markup`${factLines(rule, report).map((line) => markup`${line}\n`)}`
  if (isKnown(rule)) return { ...test, ...skipped(`known failure (${known}): ${reason}`) }
  if (verdict === 'pass') return { ...test, status: 'passed' }
  if (verdict === 'warn')
    return { ...test, status: 'passed', content: markup`<system-out>warning\n${details}</system-out>` }
  if (verdict !== 'fail') return { ...test, ...skipped(`${verdict}: ${reason}`) }
  const content = markup`<failure type="${level}" message="${reason}">${details}</failure>`
  return { ...test, status: 'failure', content }
}

function skipped(why: string): Pick<Case, 'status' | 'content'> {
  return { status: 'skipped', content: markup`<skipped message="${why}"/>` }
}

/** The problems of the run: a problem of the set-up is an error, a known failure that no longer fails is a failure. */
function runCases(report: Report): readonly Case[] {
  const className = 'rules.run'
  return [
    ...runProblems(report).map(({ kind, title, message }): Case => {
      const tag = markup`${kind}`
      return { className, name: title, status: kind, content: markup`<${tag} message="${message}"/>` }
    }),
    ...report.notes.map(({ message }, index): Case => {
      const content = markup`<system-out>${message}</system-out>`
      return { className, name: `Note ${index + 1}`, status: 'passed', content }
    }),
  ]
}

/** Returns JUnit XML with a case for each rule and for what happened to the run. Unjudged rules are skipped. */
export function junit(report: Report): string {
  const cases = [...runCases(report), ...report.rules.map((rule) => ruleCase(rule, report))]
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
