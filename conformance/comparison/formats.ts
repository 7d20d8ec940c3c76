import { code, plain, table } from '../report/markdown.ts'
import { hang, type Ink, paintOf, type Style } from '../report/style.ts'
import { verdicts } from '../report/verdicts.ts'
import { plural, printable, printableJson } from '../transcript/printable.ts'
import type { ChangedRule, ComparedRun, Comparison } from './compare.ts'

/** Groups of changed rules, the worst first. */
const groups = [
  { heading: 'Got worse', ink: 'red', of: 'regressions' },
  { heading: 'Broken, and not judged in the baseline or known', ink: 'cyan', of: 'broken' },
  { heading: 'Got better', ink: 'green', of: 'mended' },
  { heading: 'Other verdicts that changed', ink: 'cyan', of: 'others' },
] as const satisfies readonly { readonly heading: string; readonly ink: Ink; readonly of: keyof Comparison }[]

const observationsHeading = 'What the interface leaves open, decided differently'

/** Returns the outcome of a comparison in one sentence. */
function comparisonHeadline(comparison: Comparison): string {
  const { regressions, mended, rules, baseline, current } = comparison
  const ended = [baseline, current].flatMap(({ baseUrl, endedEarly }) =>
    endedEarly === undefined ? [] : [`the run against ${baseUrl} ended early`],
  )
  const worse =
    regressions.length > 0
      ? `${plural(regressions.length, 'rule')} got worse: ${regressions.map(({ rule }) => rule).join(', ')}`
      : `None of ${plural(rules, 'rule')} got worse`
  const better = mended.length > 0 ? [`${mended.length} got better`] : []
  return [worse, ...better, ...ended].join('; ')
}

/** Returns the median times of a comparison in words; nothing if no exchange is in both runs. */
function medianLines({ timings: { median } }: Comparison): readonly string[] {
  return median ? [`median of a response: ${median.before} ms before, ${median.after} ms now`] : []
}

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
  const changed = groups
    .filter(({ of }) => comparison[of].length > 0 && (!style.isQuiet || of === 'regressions'))
    .map(({ heading, ink, of }) =>
      [paint('bold', paint(ink, heading)), ...comparison[of].map(rule)].join('\n'),
    )
  const outcome = paint(
    'bold',
    paint(comparison.regressions.length > 0 ? 'red' : 'green', printable(comparisonHeadline(comparison))),
  )
  if (style.isQuiet) return [...changed, `${outcome}\n`].join('\n\n')
  const observations = comparison.observations.map(
    ({ gap, before = 'not observed', after = 'not observed' }) =>
      [`  ${printable(gap)}`, `    before    ${text(before)}`, `    now       ${text(after)}`].join('\n'),
  )
  const timings = comparison.timings.changed.map(
    ({ exchange, before, after }) => `  ${printable(exchange)}: ${before} ms before, ${after} ms now`,
  )
  const list = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [[paint('bold', title), ...lines].join('\n')]
  return [
    [run('baseline', comparison.baseline), run('current', comparison.current)].join('\n'),
    ...changed,
    ...list(observationsHeading, observations),
    ...list('Times', [...medianLines(comparison).map((line) => `  ${line}`), ...timings]),
    `${outcome}\n`,
  ].join('\n\n')
}

/** Returns a page with what differs between two runs. */
function markdownComparison(comparison: Comparison): string {
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
  const ruleHead = ['Rule', 'Level', 'Before', 'Now', 'What it requires', 'Reason']
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
    ...groups.flatMap(({ heading, of }) => part(heading, table(ruleHead, comparison[of].map(rule)))),
    ...part(observationsHeading, table(['Gap', 'Section', 'Before', 'Now'], observations)),
    ...part('Times', [...medianLines(comparison).map(plain), ...table(['Exchange', 'Before', 'Now'], times)]),
    '',
  ].join('\n\n')
}

export type ComparisonFormat = 'pretty' | 'json' | 'markdown'

/** Every format of a comparison by its name in `--format`. */
export const comparisonFormats: Readonly<
  Record<ComparisonFormat, (comparison: Comparison, style: Style) => string>
> = {
  pretty: prettyComparison,
  json: (comparison) => `${printableJson(comparison)}\n`,
  markdown: markdownComparison,
}

/** The names of these formats. */
export const comparisonFormatNames: readonly ComparisonFormat[] =
  // a literal's own keys
  Object.keys(comparisonFormats) as ComparisonFormat[]
