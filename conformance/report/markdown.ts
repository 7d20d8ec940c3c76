import { statementLink } from '../statements.ts'
import { facts } from './facts.ts'
import { headline, runProblems } from './outcome.ts'
import { printable } from './printable.ts'
import type { Report, RuleResult } from './report.ts'
import { sections } from './sections.ts'
import { brokenRules, isKnown, verdictNames, verdicts } from './verdicts.ts'

/** Escapes text, so that Markdown shows it on one line, also in a table, and makes no links of addresses. */
const plain = (text: string): string =>
  printable(text)
    .replace(/[\\`*_{}[\]<>#|~&$@]/g, '\\$&')
    .replace(/(?<=\w):(?=\/\/)|(?<=\bwww)\./gi, '\\$&')

/** A code span. Its fence has more backticks than the longest run of them in the text. */
function code(text: string): string {
  const shown = printable(text)
  const longest = (shown.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(longest + 1)
  return shown.startsWith('`') || shown.endsWith('`')
    ? `${fence} ${shown} ${fence}`
    : `${fence}${shown}${fence}`
}

/** The title of a rule. Its code spans are not escaped, as the suite wrote it. */
const title = (rule: RuleResult): string => printable(rule.title).replace(/[\\|<>]/g, '\\$&')

/** A table; nothing if it has no rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')]
}

function broken(rule: RuleResult): string {
  return [
    `### ${verdicts[rule.verdict].mark} ${rule.id}: ${title(rule)}\n`,
    `${rule.level}, section ${plain(rule.section)} of the interface.\n`,
    ...facts(rule).map(({ name, text }) => `- **${name}:** ${name === 'again' ? code(text) : plain(text)}`),
  ].join('\n')
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
      title(rule),
      code(statementLink(rule.statement)),
      plain(rule.reason),
    ]
  })
  return table(['Verdict', 'Rule', 'Level', 'What it requires', 'Statement', 'Reason'], rows)
}

/** Returns a page with the outcome, the broken rules, every rule by section, the observations, and the animals created. */
export function markdown(report: Report): string {
  const { suite, target } = report
  const { failures, warnings, known } = brokenRules(report)
  const observations = report.observations.map(({ gap, section, statement, observed }) => [
    plain(gap),
    plain(section),
    code(statementLink(statement)),
    plain(observed),
  ])
  const created = report.created.map(({ id, name }) => [id, name].map(plain))
  return [
    '# Pet adoption service: conformance report',
    `**${plain(headline(report))}**`,
    code(target.baseUrl),
    ...runProblems(report).map((problem) => `> **${plain(problem.title)}:** ${plain(problem.message)}`),
    ...table(
      ['', ''],
      [
        ['Profile', plain(report.profile)],
        ['Started', plain(report.startedAt)],
        ['Took', `${(report.durationMs / 1000).toFixed(1)} s`],
        ['Requests', String(report.requests)],
        ['Animals created', String(report.creates)],
        ['Suite', plain(`${suite.name} ${suite.version}, interface ${suite.interface}`)],
      ],
    ),
    ...table(
      verdictNames.map((verdict) => `${verdicts[verdict].mark} ${verdicts[verdict].counted}`),
      [verdictNames.map((verdict) => String(report.summary[verdict]))],
    ),
    ...part('Broken', failures.map(broken)),
    ...part('Warnings', warnings.map(broken)),
    ...part('Known failures', known.map(broken)),
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
