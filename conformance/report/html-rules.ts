import { formatStatementLink } from '../rules/statements.ts'
import { plural } from '../transcript/printable.ts'
import { type Fact, facts, responseLine } from './facts.ts'
import { type Markup, markup } from './markup.ts'
import { explainedBy, groupByVerdict, summarizeRule } from './outcome.ts'
import type { Cause, Evidence, Excerpt, Report, RuleResult } from './report.ts'
import { isKnown, listBrokenRules, verdicts } from './report.ts'
import { findStatementText, type Section } from './statements.ts'

/** A text of the suite with its code spans. */
const withCode = (text: string): readonly Markup[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))

/** A link to a statement of the interface, below on the page. */
export const statementAnchor = (statement: string): Markup =>
  markup`<a href="#${statement}">${formatStatementLink(statement)}</a>`

/** The statements that a page links to. */
export function formatStatements(statements: readonly string[]): readonly Markup[] {
  return [...new Set(statements)]
    .toSorted()
    .map((statement) => markup`<p id="${statement}">${withCode(findStatementText(statement))}</p>\n`)
}

/** Links to rules or exchanges. */
const references = (ids: readonly string[], what: 'rules' | 'exchanges'): readonly Markup[] =>
  ids.map((id, index) => markup`${index > 0 && ', '}<a href="#${what}-${id}">${id}</a>`)

/** An excerpt with its mark. */
const marked = ({ before, marked: part, after }: Excerpt): Markup =>
  markup`${before}${part !== '' && markup`<mark>${part}</mark>`}${after}`

/** The status line of a response, the header at fault, and the part of the body that shows the fault. */
function evidenceBlock(evidence: Evidence): Markup {
  const { header, body } = evidence
  return markup`<pre tabindex="0">${responseLine(evidence)}${header && markup`\n${marked(header)}`}${body && markup`\n\n${marked(body)}`}</pre>`
}

/** Facts that the response or the text around the list shows. */
const shownElsewhere: readonly string[] = ['reason', 'header', 'body', 'statement']

function factPair({ name, text }: Fact, { exchanges, evidence }: RuleResult): Markup {
  if (name === 'again') return markup`<dt>${name}</dt><dd class="curl"><pre tabindex="0">${text}</pre></dd>`
  if (name === 'exchanges') return markup`<dt>${name}</dt><dd>${references(exchanges, name)}</dd>`
  const isShown = name === 'response' && evidence !== undefined
  return markup`<dt>${name}</dt><dd>${isShown ? evidenceBlock(evidence) : text}</dd>`
}

/** Content folded below a line. The anchor is inside, so that a link to it unfolds it. */
export const folded = (attributes: Markup, line: Markup, anchor: string, content: Markup): Markup =>
  markup`<details${attributes}><summary>${line}</summary>
<div id="${anchor}">${content}</div></details>
`

/** A rule with its facts, folded: a link to it unfolds it. */
function card(rule: RuleResult): Markup {
  const { id, verdict, level, section, profile, title, statement, reason } = rule
  const note = isKnown(rule) ? 'known' : rule.deselected
  const shown = facts(rule)
    .filter(({ name }) => !shownElsewhere.includes(name))
    .map((fact) => factPair(fact, rule))
  return folded(
    markup` class="card ${verdict}" data-verdict="${verdict}"`,
    markup`<b>${id}</b> <span class="verdict">${verdicts[verdict].mark} ${verdict}</span>${note && ` (${note})`} ${withCode(title)}`,
    `rules-${id}`,
    markup`<p>${reason}</p>
<p class="soft">${level}, section ${section}, profile ${profile}, ${statementAnchor(statement)}</p>
<dl class="facts">${shown}</dl>
`,
  )
}

/** The rules of each section of the interface. */
export function formatRuleSections(all: readonly Section[]): readonly Markup[] {
  return all.map(({ name, rules }) => markup`<div class="rules"><h3>${name}</h3>\n${rules.map(card)}</div>\n`)
}

/**
 * The causes, the failures, the warnings and the known failures in short, each in one list, as links to their details
 * on the page.
 */
export function formatFaultLists(report: Report): readonly Markup[] {
  const { failures, warnings, known } = listBrokenRules(report)
  const ofRule = (rule: RuleResult): Markup =>
    markup`<li><a href="#rules-${rule.id}">${rule.id}</a>: ${summarizeRule(rule)}</li>\n`
  const lists = {
    Causes: report.causes.map(
      ({ title }, index) => markup`<li><a href="#cause-${index + 1}">${title}</a></li>\n`,
    ),
    Failures: failures.map(ofRule),
    Warnings: warnings.map(ofRule),
    'Known failures': known.map(ofRule),
  }
  return Object.entries(lists).map(
    ([name, items]) =>
      markup`${items.length > 0 && markup`<h2 class="list">${name}</h2>\n<ul class="causes">${items}</ul>\n`}`,
  )
}

/** A cause with its advice, and the rules that it explains. */
export function formatCause(cause: Cause, index: number, report: Report): Markup {
  const explained = groupByVerdict(explainedBy(cause, report)).map(
    ({ count, ids }) => markup`<li>${count}: ${references(ids, 'rules')}</li>`,
  )
  return markup`<article class="cause" id="cause-${index + 1}">
<h3>${index + 1}. ${cause.title} <span class="soft">${cause.id}</span></h3>
<p class="advice">${cause.advice}</p>
<details><summary>Explains ${plural(cause.rules.length, 'rule')}, shown by ${plural(cause.exchanges.length, 'exchange')}</summary>
<ul class="soft">${explained}<li>Shown by ${references(cause.exchanges, 'exchanges')}</li></ul></details>
</article>
`
}
