import { excerptLines } from '../excerpt.ts'
import { facts } from '../facts.ts'
import { causeGroups, causeOf } from '../groups.ts'
import { type Markup, markup } from '../html/markup.ts'
import { causeHeadline, runProblems } from '../outcome.ts'
import type { Cause, Report, RuleResult } from '../report.ts'
import { type Section, sections } from '../sections.ts'
import { isKnown } from '../verdicts.ts'

/** The status of a test case of JUnit. */
type Status = 'failure' | 'skipped' | 'error' | 'passed'

/** The width of excerpts. */
const columns = 120

interface Case {
  /** A name with a dot. Readers of JUnit files take the part before the last dot for a package. */
  readonly className: string
  readonly name: string
  readonly status: Status
  readonly content?: Markup
}

interface Suite {
  readonly name: string
  readonly cases: readonly Case[]
}

/** The facts about a rule, a line each; a line of carets marks the part at fault. */
function details(rule: RuleResult, report: Report): Markup {
  const lines = facts([rule], causeOf(report, rule)).map(({ name, text, excerpt }) => {
    const [line = text, ...carets] = excerpt === undefined ? [text] : excerptLines(excerpt, columns)
    return markup`${name}: ${line}\n${carets.map((each) => markup`${' '.repeat(name.length + 2)}${each}\n`)}`
  })
  return markup`${lines}`
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

function ruleCase(rule: RuleResult, report: Report): Case {
  const [family] = rule.id.split('-')
  return {
    className: `rules.${family}`,
    name: `${rule.id} ${rule.level}: ${rule.title}`,
    ...ruleOutcome(rule, report),
  }
}

const sectionSuite = ({ name, rules }: Section, report: Report): Suite => ({
  name,
  cases: rules.map((rule) => ruleCase(rule, report)),
})

/** The problems of the run: a problem of the set-up is an error, a known failure that no longer fails is a failure. */
function runSuite(report: Report): Suite {
  const cases = runProblems(report).map(({ kind, title, message }): Case => {
    const status = kind === 'error' ? 'error' : 'failure'
    const content =
      kind === 'error' ? markup`<error message="${message}"/>` : markup`<failure message="${message}"/>`
    return { className: 'rules.run', name: title, status, content }
  })
  const notes = report.notes.map(
    ({ message }, index): Case => ({
      className: 'rules.run',
      name: `Note ${index + 1}`,
      status: 'passed',
      content: markup`<system-out>${message}</system-out>`,
    }),
  )
  return { name: 'The run', cases: [...cases, ...notes] }
}

function tally(cases: readonly Case[]): Markup {
  const count = (status: Status): number => cases.filter((each) => each.status === status).length
  return markup`tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
}

const testcase = ({ className, name, content }: Case): Markup =>
  markup`    <testcase classname="${className}" name="${name}">${content}</testcase>\n`

/** The causes as properties, which readers of JUnit files show besides the cases. */
function properties(report: Report): Markup {
  const title = causeHeadline(report)
  if (title === undefined) return markup``
  const values = causeGroups(report).map(
    ({ number, cause }) => markup`      <property name="cause ${number}" value="${causeText(cause)}"/>\n`,
  )
  return markup`    <properties>\n      <property name="causes" value="${title}"/>\n${values}    </properties>\n`
}

function causeText({ title, advice, rules }: Cause): string {
  return `${title}: ${advice} (explains ${rules.join(', ')})`
}

/** Returns JUnit XML with a suite for each section of the interface. Rules that were not judged are skipped. */
export function junit(report: Report): string {
  const suites = [runSuite(report), ...sections(report).map((each) => sectionSuite(each, report))].filter(
    ({ cases }) => cases.length > 0,
  )
  const body = suites.map(
    ({ name, cases }, index) =>
      markup`  <testsuite name="${name}" ${tally(cases)} timestamp="${report.startedAt}">
${index === 0 && properties(report)}${cases.map(testcase)}  </testsuite>\n`,
  )
  const all = suites.flatMap(({ cases }) => cases)
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${report.suite.name} ${report.target.baseUrl}" ${tally(all)} time="${(report.durationMs / 1000).toFixed(3)}">
${body}</testsuites>
`.text
}
