import { printable } from '../transcript/printable.ts'
import { type Alike, alike, excerptLines, type Fact, facts, idsOf, shortened } from './facts.ts'
import {
  byVerdict,
  type CauseGroup,
  causeGroups,
  headline,
  runFacts,
  runProblems,
  unexplained,
} from './outcome.ts'
import type { Report, RuleResult } from './report.ts'
import { isKnown, verdictNames, verdicts } from './report.ts'
import { sections, statementText } from './statements.ts'

/** The width of excerpts. */
const columns = 100

/** Escapes text, so that Markdown shows it on one line, also in a table, and makes no links of addresses. */
export const plain = (text: string): string =>
  printable(text)
    .replace(/[\\`*_{}[\]<>#|~&$@]/g, '\\$&')
    .replace(/(?<=\w):(?=\/\/)|(?<=\bwww)\./gi, '\\$&')

/** Returns more backticks than the longest run of them in a text, and at least so many. */
function fenceOf(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(Math.max(least, ...runs.map((run) => run.length + 1)))
}

/** A code span. */
export function code(text: string): string {
  const shown = printable(text)
  const fence = fenceOf(shown, 1)
  return shown.startsWith('`') || shown.endsWith('`')
    ? `${fence} ${shown} ${fence}`
    : `${fence}${shown}${fence}`
}

/** A text of the suite, such as the title of a rule or a sentence of the interface. Its code spans are not escaped. */
const withCode = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? plain(part) : code(part).replaceAll('|', '\\|')))
    .join('')

/** A table; nothing if it has no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')]
}

/** Rules that fail alike, with their facts. */
function broken(rules: Alike): string {
  const [{ verdict, level, section }] = rules
  const [only] = rules
  const head =
    rules.length === 1
      ? [`### ${verdicts[verdict].mark} ${only.id}: ${withCode(only.title)}\n`]
      : [
          `### ${verdicts[verdict].mark} ${idsOf(rules)}\n`,
          ...rules.map((rule) => `- ${rule.id}: ${withCode(rule.title)}`),
          '',
        ]
  return [
    ...head,
    `${level}, section ${plain(section)} of the interface.\n`,
    ...facts(rules).map((fact) => `- **${fact.name}:**${factText(fact)}`),
  ].join('\n')
}

/** The text behind the name of a fact: on the same line, or a block of code. */
function factText({ name, text, excerpt }: Fact): string {
  if (excerpt === undefined)
    return ` ${name === 'again' ? code(text) : name === 'statement' ? withCode(text) : plain(text)}`
  return `\n${indented(fence(excerptLines(excerpt, columns)))}`
}

/** A fenced block of code. */
function fence(lines: readonly string[]): readonly string[] {
  const mark = fenceOf(lines.join('\n'), 3)
  return [`${mark}text`, ...lines, mark]
}

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n')

/** A cause, and below it the broken rules that it explains. */
function causePart({ cause, number, rules, broken: its }: CauseGroup): readonly string[] {
  return [
    `## ${number}. ${plain(cause.title)}`,
    [
      `- **advice:** ${plain(cause.advice)}`,
      `- **explains:** ${plain(byVerdict(rules).join('; '))}`,
      `- **shown by:** ${plain(shortened(cause.exchanges))}`,
    ].join('\n'),
    ...alike(its).map(broken),
  ]
}

function part(heading: string, content: readonly string[]): readonly string[] {
  return content.length === 0 ? [] : [`## ${heading}`, ...content]
}

function ruleTable(rules: readonly RuleResult[]): readonly string[] {
  const rows = rules.map((rule) => {
    const { mark } = verdicts[rule.verdict]
    return [
      `${mark} ${rule.verdict}${isKnown(rule) ? ' (known)' : ''}`,
      rule.id,
      rule.level,
      withCode(rule.title),
      withCode(statementText(rule.statement)),
      plain(rule.reason),
    ]
  })
  return table(['Verdict', 'Rule', 'Level', 'What it requires', 'Statement', 'Reason'], rows)
}

/** Returns a page with the outcome, the causes, the broken rules, every rule by section, the observations, and the animals created. */
export function markdown(report: Report): string {
  const { suite, target } = report
  const { failures, warnings, known } = unexplained(report)
  const observations = report.observations.map(({ gap, section, statement, observed }) => [
    plain(gap),
    plain(section),
    withCode(statementText(statement)),
    plain(observed),
  ])
  const created = report.created.map(({ id, name }) => [id, name].map(plain))
  return [
    '# Pet adoption service: conformance report',
    `**${plain(headline(report))}**`,
    code(target.baseUrl),
    ...runProblems(report).map((problem) => `> **${plain(problem.title)}:** ${plain(problem.message)}`),
    ...report.notes.map(({ message }) => `> **Note:** ${plain(message)}`),
    ...table(
      ['', ''],
      [
        ...runFacts(report).map(([name, value]) => [name, plain(value)]),
        ['Suite', plain(`${suite.name} ${suite.version}, interface ${suite.interface}`)],
      ],
    ),
    ...table(
      verdictNames.map((verdict) => `${verdicts[verdict].mark} ${verdicts[verdict].counted}`),
      [verdictNames.map((verdict) => String(report.summary[verdict]))],
    ),
    ...causeGroups(report).flatMap(causePart),
    ...part('Broken', alike(failures).map(broken)),
    ...part('Warnings', alike(warnings).map(broken)),
    ...part('Known failures', alike(known).map(broken)),
    '## Rules',
    ...sections(report).flatMap(({ name, rules }) => [`### ${plain(name)}`, ...ruleTable(rules)]),
    ...part(
      'What the interface leaves open',
      table(['Gap', 'Section', 'Statement', 'This deployment'], observations),
    ),
    ...part('Animals created by this run', table(['Id', 'Name'], created)),
    '',
  ].join('\n\n')
}
