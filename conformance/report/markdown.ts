import { printable } from '../transcript/printable.ts'
import { headline, runFacts, runProblems } from './outcome.ts'
import { brokenTexts } from './pretty.ts'
import { isKnown, type Report, type RuleResult, verdictNames, verdicts } from './report.ts'
import { sections, statementText } from './statements.ts'

/** The width of the lines in blocks of code. */
const columns = 100

/** Escapes text, so that Markdown shows it on one line, also in a table, and makes no links of addresses. */
const plain = (text: string): string =>
  printable(text)
    .replace(/[\\`*_{}[\]<>#|~&$@]/g, '\\$&')
    .replace(/(?<=\w):(?=\/\/)|(?<=\bwww)\./gi, '\\$&')

/** Returns more backticks than the longest run of them in a text, and at least so many. */
function fenceOf(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(Math.max(least, ...runs.map((run) => run.length + 1)))
}

/** A code span. */
function code(text: string): string {
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
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')]
}

function part(heading: string, content: readonly string[]): readonly string[] {
  return content.length === 0 ? [] : [`## ${heading}`, ...content]
}

/** A block of code with texts that are printable. */
function block(texts: readonly string[]): readonly string[] {
  const text = texts.join('\n\n')
  const fence = fenceOf(text, 3)
  return texts.length === 0 ? [] : [`${fence}text\n${text}\n${fence}`]
}

function ruleTable(rules: readonly RuleResult[]): readonly string[] {
  const rows = rules.map((rule) => [
    `${verdicts[rule.verdict].mark} ${rule.verdict}${isKnown(rule) ? ' (known)' : ''}`,
    rule.id,
    rule.level,
    withCode(rule.title),
    withCode(statementText(rule.statement)),
    plain(rule.reason),
  ])
  return table(['Verdict', 'Rule', 'Level', 'What it requires', 'Statement', 'Reason'], rows)
}

/**
 * Returns a page with the outcome, the causes and the broken rules, every rule by section, the observations, and the
 * animals created.
 */
export function markdown(report: Report): string {
  const { suite, target } = report
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
    ...part('What is broken', block(brokenTexts(report, { color: false, columns }))),
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
