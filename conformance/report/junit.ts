import { facts } from './facts.ts'
import { type Markup, markup } from './markup.ts'
import { runProblems } from './outcome.ts'
import type { Report, RuleResult } from './report.ts'
import { type Section, sections } from './sections.ts'
import { isKnown } from './verdicts.ts'

/** The status of a test case of JUnit. */
type Status = 'failure' | 'skipped' | 'error' | 'passed'

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

const details = (rule: RuleResult): Markup =>
  markup`${facts(rule).map(({ name, text }) => markup`${name}: ${text}\n`)}`

function ruleOutcome(rule: RuleResult): Pick<Case, 'status' | 'content'> {
  const { verdict, level, reason, known } = rule
  if (verdict === 'pass') return { status: 'passed' }
  if (verdict === 'warn')
    return { status: 'passed', content: markup`<system-out>warning\n${details(rule)}</system-out>` }
  if (verdict === 'fail' && !isKnown(rule)) {
    const content = markup`<failure type="${level}" message="${reason}">${details(rule)}</failure>`
    return { status: 'failure', content }
  }
  const why = isKnown(rule) ? `known failure (${known}): ${reason}` : `${verdict}: ${reason}`
  return { status: 'skipped', content: markup`<skipped message="${why}"/>` }
}

function ruleCase(rule: RuleResult): Case {
  const [family] = rule.id.split('-')
  return {
    className: `rules.${family}`,
    name: `${rule.id} ${rule.level}: ${rule.title}`,
    ...ruleOutcome(rule),
  }
}

const sectionSuite = ({ name, rules }: Section): Suite => ({ name, cases: rules.map(ruleCase) })

/** The problems of the run: a problem of the set-up is an error, a known failure that no longer fails is a failure. */
function runSuite(report: Report): Suite {
  const cases = runProblems(report).map(({ kind, title, message }): Case => {
    const status = kind === 'error' ? 'error' : 'failure'
    const content =
      kind === 'error' ? markup`<error message="${message}"/>` : markup`<failure message="${message}"/>`
    return { className: 'rules.run', name: title, status, content }
  })
  return { name: 'The run', cases }
}

function tally(cases: readonly Case[]): Markup {
  const count = (status: Status): number => cases.filter((each) => each.status === status).length
  return markup`tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
}

const testcase = ({ className, name, content }: Case): Markup =>
  markup`    <testcase classname="${className}" name="${name}">${content}</testcase>\n`

/** Returns JUnit XML with a suite for each section of the interface. Rules that were not judged are skipped. */
export function junit(report: Report): string {
  const suites = [runSuite(report), ...sections(report).map(sectionSuite)].filter(
    ({ cases }) => cases.length > 0,
  )
  const body = suites.map(
    ({ name, cases }) =>
      markup`  <testsuite name="${name}" ${tally(cases)} timestamp="${report.startedAt}">
${cases.map(testcase)}  </testsuite>\n`,
  )
  const all = suites.flatMap(({ cases }) => cases)
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${report.suite.name} ${report.target.baseUrl}" ${tally(all)} time="${(report.durationMs / 1000).toFixed(3)}">
${body}</testsuites>
`.text
}
