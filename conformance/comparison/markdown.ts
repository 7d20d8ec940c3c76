import { code, plain, table } from '../report/markdown.ts'
import { verdicts } from '../report/verdicts.ts'
import type { ChangedRule, ComparedRun, Comparison } from './compare.ts'
import { changeGroups, comparisonHeadline, medianLine } from './facts.ts'

/** Returns a page with what differs between two runs. */
export function markdownComparison(comparison: Comparison): string {
  const run = (name: string, { baseUrl, profile, startedAt }: ComparedRun): readonly string[] => [
    name,
    code(baseUrl),
    plain(profile),
    plain(startedAt),
  ]
  const rule = ({ rule, level, before, after, title, reason }: ChangedRule): readonly string[] => [
    plain(rule),
    level,
    plain(before ?? 'new'),
    `${verdicts[after].mark} ${after}`,
    plain(title),
    plain(reason),
  ]
  const observations = comparison.observations.map(
    ({ gap, section, before = 'not observed', after = 'not observed' }) =>
      [gap, section, before, after].map(plain),
  )
  const times = comparison.timings.changed.map(({ exchange, before, after }) => [
    plain(exchange),
    `${before} ms`,
    `${after} ms`,
  ])
  const part = (heading: string, content: readonly string[]): readonly string[] =>
    content.length === 0 ? [] : [`## ${heading}`, ...content]
  return [
    '# Pet adoption service: comparison of two runs',
    `**${plain(comparisonHeadline(comparison))}**`,
    ...table(
      ['', 'Deployment', 'Profile', 'Started'],
      [run('baseline', comparison.baseline), run('current', comparison.current)],
    ),
    ...changeGroups(comparison).flatMap(({ heading, rules }) =>
      part(heading, table(['Rule', 'Level', 'Before', 'Now', 'What it requires', 'Reason'], rules.map(rule))),
    ),
    ...part(
      'What the interface leaves open, decided differently',
      table(['Gap', 'Section', 'Before', 'Now'], observations),
    ),
    ...part('Times', [
      ...[medianLine(comparison)].filter((line) => line !== undefined).map(plain),
      ...table(['Exchange', 'Before', 'Now'], times),
    ]),
    '',
  ].join('\n\n')
}
