import { formatStatementLink } from '../rules/statements.ts'
import { pluralize } from '../transcript/printable.ts'
import { type Fact, formatResponseLine, listFacts } from './facts.ts'
import { type Markup, markup } from './markup.ts'
import { groupByVerdict, listExplainedRules, summarizeRule } from './outcome.ts'
import type { Cause, Evidence, Excerpt, Report, RuleResult } from './report.ts'
import { isKnown, listBrokenRules, verdicts } from './report.ts'
import { findStatementText, type Section } from './statements.ts'

const formatCode = (text: string): readonly Markup[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))

export const linkStatement = (statement: string): Markup =>
  markup`<a href="#${statement}">${formatStatementLink(statement)}</a>`

/** Formats each statement's text once. */
export function formatStatements(statements: readonly string[]): readonly Markup[] {
  return [...new Set(statements)]
    .toSorted()
    .map((statement) => markup`<p id="${statement}">${formatCode(findStatementText(statement))}</p>\n`)
}

const linkIds = (ids: readonly string[], what: 'rules' | 'exchanges'): readonly Markup[] =>
  ids.map((id, index) => markup`${index > 0 && ', '}<a href="#${what}-${id}">${id}</a>`)

const formatMarked = ({ before, marked: part, after }: Excerpt): Markup =>
  markup`${before}${part !== '' && markup`<mark>${part}</mark>`}${after}`

function formatEvidence(evidence: Evidence): Markup {
  const { header, body } = evidence
  return markup`<pre tabindex="0">${formatResponseLine(evidence)}${header && markup`\n${formatMarked(header)}`}${body && markup`\n\n${formatMarked(body)}`}</pre>`
}

/** Facts that a rule's card shows in another place. */
const factsShownElsewhere: readonly string[] = ['reason', 'header', 'body', 'statement']

function formatFact({ name, text }: Fact, { exchanges, evidence }: RuleResult): Markup {
  if (name === 'again') return markup`<dt>${name}</dt><dd class="curl"><pre tabindex="0">${text}</pre></dd>`
  if (name === 'exchanges') return markup`<dt>${name}</dt><dd>${linkIds(exchanges, name)}</dd>`
  const isShown = name === 'response' && evidence !== undefined
  return markup`<dt>${name}</dt><dd>${isShown ? formatEvidence(evidence) : text}</dd>`
}

/** Formats a block that opens on click. The anchor is inside, so that a link to it opens the block. */
export const formatCollapsible = (
  attributes: Markup,
  line: Markup,
  anchor: string,
  content: Markup,
): Markup =>
  markup`<details${attributes}><summary>${line}</summary>
<div id="${anchor}">${content}</div></details>
`

function formatCard(rule: RuleResult): Markup {
  const { id, verdict, level, section, profile, title, statement, reason } = rule
  const note = isKnown(rule) ? 'known' : rule.deselected
  const shownFacts = listFacts(rule)
    .filter(({ name }) => !factsShownElsewhere.includes(name))
    .map((fact) => formatFact(fact, rule))
  return formatCollapsible(
    markup` class="card ${verdict}" data-verdict="${verdict}"`,
    markup`<b>${id}</b> <span class="verdict">${verdicts[verdict].mark} ${verdict}</span>${note && ` (${note})`} ${formatCode(title)}`,
    `rules-${id}`,
    markup`<p>${reason}</p>
<p class="soft">${level}, section ${section}, profile ${profile}, ${linkStatement(statement)}</p>
<dl class="facts">${shownFacts}</dl>
`,
  )
}

export function formatRuleSections(all: readonly Section[]): readonly Markup[] {
  return all.map(
    ({ name, rules }) => markup`<div class="rules"><h3>${name}</h3>\n${rules.map(formatCard)}</div>\n`,
  )
}

/** Formats lists with the causes, failures, warnings and known failures. */
export function formatProblemLists(report: Report): readonly Markup[] {
  const { failures, warnings, known } = listBrokenRules(report)
  const linkRule = (rule: RuleResult): Markup =>
    markup`<li><a href="#rules-${rule.id}">${rule.id}</a>: ${summarizeRule(rule)}</li>\n`
  const problemLists = {
    Causes: report.causes.map(
      ({ title }, index) => markup`<li><a href="#cause-${index + 1}">${title}</a></li>\n`,
    ),
    Failures: failures.map(linkRule),
    Warnings: warnings.map(linkRule),
    'Known failures': known.map(linkRule),
  }
  return Object.entries(problemLists).map(
    ([name, items]) =>
      markup`${items.length > 0 && markup`<h2 class="list">${name}</h2>\n<ul class="causes">${items}</ul>\n`}`,
  )
}

/** Formats a cause with its advice and the rules it explains. */
export function formatCause(cause: Cause, index: number, report: Report): Markup {
  const explainedRules = groupByVerdict(listExplainedRules(cause, report)).map(
    ({ count, ids }) => markup`<li>${count}: ${linkIds(ids, 'rules')}</li>`,
  )
  return markup`<article class="cause" id="cause-${index + 1}">
<h3>${index + 1}. ${cause.title} <span class="soft">${cause.id}</span></h3>
<p class="advice">${cause.advice}</p>
<details><summary>Explains ${pluralize(cause.rules.length, 'rule')}, shown by ${pluralize(cause.exchanges.length, 'exchange')}</summary>
<ul class="soft">${explainedRules}<li>Shown by ${linkIds(cause.exchanges, 'exchanges')}</li></ul></details>
</article>
`
}
