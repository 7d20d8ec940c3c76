import { facts } from './facts.ts'
import { headline, runProblems } from './outcome.ts'
import { printable } from './printable.ts'
import type { Report, RuleResult } from './report.ts'
import { sections } from './sections.ts'
import { brokenRules, isKnown, verdictNames, verdicts } from './verdicts.ts'

/** Text that Markdown takes for nothing but text, on one line, in a table too; addresses do not become links. */
const plain = (text: string): string =>
  printable(text)
    .replace(/[\\`*_{}[\]<>#|~&$@]/g, '\\$&')
    .replace(/(?<=\w):(?=\/\/)|(?<=\bwww)\./gi, '\\$&')

/** A code span, fenced by more backticks than it holds in a row. */
function code(text: string): string {
  const shown = printable(text)
  const longest = (shown.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(longest + 1)
  return shown.startsWith('`') || shown.endsWith('`')
    ? `${fence} ${shown} ${fence}`
    : `${fence}${shown}${fence}`
}

/** A title of a rule: written by the suite, so its code spans stay. */
const title = (rule: RuleResult): string => printable(rule.title).replace(/[\\|<>]/g, '\\$&')

/** A table, or nothing where it has no rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')]
}

function broken(rule: RuleResult): string {
  return [
    `### ${verdicts[rule.verdict].mark} ${rule.id}: ${title(rule)}\n`,
    `${rule.level}, section ${plain(rule.section)} of the specification.\n`,
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
      plain(rule.reason),
    ]
  })
  return table(['Verdict', 'Rule', 'Level', 'What it asks', 'Why'], rows)
}

/** A page to keep: the outcome, what is broken, every rule by section, the gaps observed, the animals created. */
export function markdown(report: Report): string {
  const { suite, target } = report
  const { failures, warnings, known } = brokenRules(report)
  const observations = report.observations.map(({ gap, section, observed }) =>
    [gap, section, observed].map(plain),
  )
  const created = report.created.map(({ id, name }) => [id, name].map(plain))
  return [
    '# Pet adoption service: conformance report',
    `**${plain(headline(report))}**`,
    code(target.baseUrl),
    ...runProblems(report).map((fault) => `> **${plain(fault.title)}:** ${plain(fault.message)}`),
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
    ...part('What the specification leaves open', table(['Gap', 'Section', 'This deployment'], observations)),
    ...part('Animals created by this run', table(['Id', 'Name'], created)),
    '',
  ].join('\n\n')
}
