import { hang, type Ink, paintOf, type Style } from '../report/style.ts'
import { verdicts } from '../report/verdicts.ts'
import { printable } from '../transcript/printable.ts'
import type { ChangedRule, ComparedRun, Comparison } from './compare.ts'
import { type ChangeGroup, changeGroups, comparisonHeadline, medianLine } from './facts.ts'

const inks: Readonly<Record<ChangeGroup['kind'], Ink>> = { worse: 'red', better: 'green', other: 'cyan' }

/** The column at which the text of a line begins. */
const textColumn = 14

/** Returns a comparison for a terminal. A quiet one has what got worse, and the outcome. */
export function prettyComparison(comparison: Comparison, style: Style): string {
  const paint = paintOf(style)
  const text = (value: string): string =>
    hang(printable(value), textColumn, style.columns ?? Number.POSITIVE_INFINITY)
  const rule = ({ rule, level, title, before, after, reason }: ChangedRule): string =>
    [
      `  ${paint(verdicts[after].ink, verdicts[after].mark)} ${printable(rule).padEnd(9)} ${text(title)}`,
      `${' '.repeat(textColumn)}${paint('dim', `${level}, ${before ?? 'new'} before, ${after} now:`)} ${text(reason)}`,
    ].join('\n')
  const run = (name: string, { baseUrl, startedAt, profile }: ComparedRun): string =>
    `${paint('dim', name.padEnd(9))} ${printable(`${baseUrl}, profile ${profile}, ${startedAt}`)}`
  const groups = changeGroups(comparison)
    .filter(({ kind }) => !style.isQuiet || kind === 'worse')
    .map(({ heading, kind, rules }) =>
      [paint('bold', paint(inks[kind], heading)), ...rules.map(rule)].join('\n'),
    )
  const outcome = paint(
    'bold',
    paint(comparison.regressions.length > 0 ? 'red' : 'green', printable(comparisonHeadline(comparison))),
  )
  if (style.isQuiet) return [...groups, `${outcome}\n`].join('\n\n')
  const observations = comparison.observations.map(
    ({ gap, before = 'not observed', after = 'not observed' }) =>
      `  ${text(`${gap}: ${before} before, ${after} now`)}`,
  )
  const median = medianLine(comparison)
  const timings = comparison.timings.changed.map(
    ({ exchange, before, after }) => `  ${printable(exchange)}: ${before} ms before, ${after} ms now`,
  )
  const list = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [[paint('bold', title), ...lines].join('\n')]
  return [
    [run('baseline', comparison.baseline), run('current', comparison.current)].join('\n'),
    ...groups,
    ...list('What the interface leaves open, decided differently', observations),
    ...list('Times', [...(median === undefined ? [] : [`  ${median}`]), ...timings]),
    `${outcome}\n`,
  ].join('\n\n')
}
