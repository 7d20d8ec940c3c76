import type { Verdict } from '../rules/rule.ts'
import { type Ink, type Paint, paintOf } from './ansi.ts'
import { facts } from './facts.ts'
import { headline, plural, runFaults } from './outcome.ts'
import { printable } from './printable.ts'
import type { Report, RuleResult } from './report.ts'
import { type Section, sections } from './sections.ts'
import { brokenRules, isKnown, verdictNames, verdicts } from './verdicts.ts'

const inks: Readonly<Record<Verdict, Ink>> = {
  fail: 'red',
  warn: 'yellow',
  inconclusive: 'cyan',
  pass: 'green',
  'not-applicable': 'dim',
  'not-run': 'dim',
}

const sign = (paint: Paint, verdict: Verdict): string => paint(inks[verdict], verdicts[verdict].mark)

function broken(rule: RuleResult, paint: Paint): string {
  return [
    `  ${sign(paint, rule.verdict)} ${paint('bold', rule.id)}  ${printable(rule.title)}`,
    paint('dim', `    ${rule.level} · section ${printable(rule.section)} of the specification`),
    ...facts(rule).map(({ name, text }) => `    ${paint('dim', name.padEnd(9))} ${printable(text)}`),
  ].join('\n')
}

function judged(rule: RuleResult, paint: Paint): string {
  const line = `  ${sign(paint, rule.verdict)} ${rule.id.padEnd(9)} ${printable(rule.title)}`
  if (isKnown(rule)) return `${line} ${paint('dim', '(known failure)')}`
  return rule.verdict === 'inconclusive'
    ? `${line}\n${paint('dim', `${' '.repeat(14)}${printable(rule.reason)}`)}`
    : line
}

/** Rules that were left out for the same reason, on one line. */
function leftOut(rules: readonly RuleResult[], paint: Paint): readonly string[] {
  const groups = new Map<string, { readonly mark: string; readonly ids: string[] }>()
  for (const { id, verdict, reason } of rules) {
    const group = groups.get(reason) ?? { mark: verdicts[verdict].mark, ids: [] }
    group.ids.push(id)
    groups.set(reason, group)
  }
  return [...groups].map(([reason, { mark, ids }]) =>
    paint('dim', `  ${mark} ${ids.join(', ')}: ${printable(reason)}`),
  )
}

function section({ name, rules }: Section, paint: Paint): string {
  const isLeftOut = ({ verdict }: RuleResult): boolean =>
    verdict === 'not-run' || verdict === 'not-applicable'
  const lines = rules.filter((rule) => !isLeftOut(rule)).map((rule) => judged(rule, paint))
  return [paint('bold', printable(name)), ...lines, ...leftOut(rules.filter(isLeftOut), paint)].join('\n')
}

function list(title: string, items: readonly string[], paint: Paint): readonly string[] {
  return items.length === 0 ? [] : [[paint('bold', title), ...items].join('\n')]
}

function counts(report: Report, paint: Paint): string {
  const known = brokenRules(report).known.length
  const shown = verdictNames.filter((verdict) => report.summary[verdict] > 0)
  const texts = shown.map((verdict) =>
    paint(inks[verdict], `${report.summary[verdict]} ${verdicts[verdict].counted}`),
  )
  return `${texts.join(paint('dim', ' · '))}${known > 0 ? ` (${known} known)` : ''}`
}

/** How a run is told in three lines or little more: its faults, its counts, its outcome. */
export function prettySummary(report: Report, style: { readonly color: boolean }): string {
  const paint = paintOf(style.color)
  const ink: Ink =
    brokenRules(report).failures.length > 0 ? 'red' : runFaults(report).length > 0 ? 'yellow' : 'green'
  const seconds = (report.durationMs / 1000).toFixed(1)
  return [
    ...runFaults(report).map(({ title, message }) => `${paint('yellow', title)}: ${printable(message)}`),
    counts(report, paint),
    paint(
      'dim',
      `${plural(report.requests, 'request')} in ${seconds} s, ${plural(report.creates, 'animal')} created`,
    ),
    paint('bold', paint(ink, headline(report))),
    '',
  ].join('\n')
}

/** The report for a person at a terminal: what is broken first, then every rule by section. */
export function pretty(report: Report, style: { readonly color: boolean }): string {
  const paint = paintOf(style.color)
  const { suite, target } = report
  const { failures, warnings, known } = brokenRules(report)
  const observations = report.observations.map(
    ({ gap, section, observed }) =>
      `  ${printable(gap)} ${paint('dim', `(${printable(section)})`)}: ${printable(observed)}`,
  )
  const created = report.created.map(({ id, name }) => `  ${printable(id)}  ${printable(name)}`)
  return [
    [
      paint('bold', printable(target.baseUrl)),
      paint(
        'dim',
        printable(
          `${suite.name} ${suite.version}, interface ${suite.interface}, profile ${report.profile}, ${report.startedAt}`,
        ),
      ),
    ].join('\n'),
    ...[...failures, ...warnings, ...known].map((rule) => broken(rule, paint)),
    ...sections(report).map((each) => section(each, paint)),
    ...list('What the spec leaves open, and what this deployment does', observations, paint),
    ...list('Animals created by this run', created, paint),
    prettySummary(report, style),
  ].join('\n\n')
}
