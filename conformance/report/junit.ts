import { facts } from './facts.ts'
import { type Markup, markup } from './markup.ts'
import { runFaults } from './outcome.ts'
import type { Report, RuleResult } from './report.ts'
import { type Section, sections } from './sections.ts'
import { isKnown } from './verdicts.ts'

/** What a test case of JUnit can be; a pass says nothing. */
type Status = 'failure' | 'skipped' | 'error' | 'passed'

interface Case {
  readonly name: string
  readonly status: Status
  readonly content: Markup | undefined
}

interface Suite {
  readonly name: string
  readonly cases: readonly Case[]
}

const details = (rule: RuleResult): Markup =>
  markup`${facts(rule).map(({ name, text }) => markup`${name}: ${text}\n`)}`

function ruleCase(rule: RuleResult): Case {
  const name = `${rule.id} ${rule.level}: ${rule.title}`
  if (rule.verdict === 'pass') return { name, status: 'passed', content: undefined }
  if (rule.verdict === 'warn') {
    return {
      name,
      status: 'passed',
      content: markup`<system-out>warning
${details(rule)}</system-out>`,
    }
  }
  if (rule.verdict === 'fail' && !isKnown(rule)) {
    const content = markup`<failure type="${rule.level}" message="${rule.reason}">${details(rule)}</failure>`
    return { name, status: 'failure', content }
  }
  const why = isKnown(rule)
    ? `known failure (${rule.known}): ${rule.reason}`
    : `${rule.verdict}: ${rule.reason}`
  return { name, status: 'skipped', content: markup`<skipped message="${why}"/>` }
}

const sectionSuite = ({ name, rules }: Section): Suite => ({ name, cases: rules.map(ruleCase) })

/** The run itself: a set-up fault is an error, a known failure that no longer fails is a failure. */
function runSuite(report: Report): Suite {
  const cases = runFaults(report).map(({ kind, title, message }): Case => {
    if (kind === 'fault')
      return { name: title, status: 'error', content: markup`<error message="${message}"/>` }
    return { name: title, status: 'failure', content: markup`<failure message="${message}"/>` }
  })
  return { name: 'The run', cases }
}

function tally(cases: readonly Case[]): Markup {
  const count = (status: Status): number => cases.filter((each) => each.status === status).length
  return markup`tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
}

const testcase = (suite: string, { name, content }: Case): Markup =>
  markup`    <testcase classname="${suite}" name="${name}">${content}</testcase>\n`

/** JUnit XML, a suite for each section of the spec: failures as failures, what was not judged as skipped. */
export function junit(report: Report): string {
  const suites = [runSuite(report), ...sections(report).map(sectionSuite)].filter(
    ({ cases }) => cases.length > 0,
  )
  const body = suites.map(
    ({ name, cases }) =>
      markup`  <testsuite name="${name}" ${tally(cases)} timestamp="${report.startedAt}">
${cases.map((each) => testcase(name, each))}  </testsuite>\n`,
  )
  const all = suites.flatMap(({ cases }) => cases)
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${report.suite.name} ${report.target.baseUrl}" ${tally(all)} time="${report.durationMs / 1000}">
${body}</testsuites>
`.text
}
