import { statementLink } from '../rules/statements.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import { type Fact, facts, responseLine, shortened } from './facts.ts'
import { type Markup, markup, multiline } from './markup.ts'
import { byVerdict, type CauseGroup } from './outcome.ts'
import type { Evidence, Excerpt, ReportExchange, RuleResult } from './report.ts'
import { isKnown, verdicts } from './report.ts'
import { type Section, statementText } from './statements.ts'

/** Returns the id of an exchange, as a link if the page shows the exchange. */
export type Refer = (id: string) => Markup

/** A longer list of exchanges is folded. */
const mostUnfolded = 5

/** A text of the suite with its code spans. */
const withCode = (text: string): readonly Markup[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))

/** A link to a statement of the interface, below on the page. */
export const statementAnchor = (statement: string): Markup =>
  markup`<a href="#${statement}">${statementLink(statement)}</a>`

/** The statements that a page links to. */
export function statementList(statements: readonly string[]): readonly Markup[] {
  return [...new Set(statements)]
    .toSorted()
    .map((statement) => markup`<p id="${statement}">${withCode(statementText(statement))}</p>\n`)
}

function verdict(rule: RuleResult): Markup {
  const note = isKnown(rule) ? 'known' : rule.deselected
  return markup`<span class="verdict ${rule.verdict}">${verdicts[rule.verdict].mark} ${rule.verdict}</span>${note && ` (${note})`}`
}

/** Links to exchanges; a long list is folded. */
export function references(exchanges: readonly string[], refer: Refer): Markup {
  const links = exchanges.map((id, index) => markup`${index > 0 && ', '}${refer(id)}`)
  if (exchanges.length <= mostUnfolded) return markup`${links}`
  return markup`<details class="inline"><summary>${exchanges.length} exchanges</summary>${links}</details>`
}

/** An excerpt with its mark. */
const marked = ({ before, marked: part, after }: Excerpt): Markup =>
  markup`${before}${part !== '' && markup`<mark>${part}</mark>`}${after}`

/** The status line of a response, the header at fault, and the part of the body that shows the fault. */
function evidenceBlock(evidence: Evidence): Markup {
  const { header, body } = evidence
  return markup`<pre tabindex="0">${responseLine(evidence)}${header && markup`\n${marked(header)}`}${body && markup`\n\n${marked(body)}`}</pre>`
}

/** Facts that the response shows, or the head of the card. */
const shownElsewhere: readonly Fact['name'][] = ['header', 'body', 'statement']

function factPair({ name, text }: Fact, { exchanges, evidence }: RuleResult, refer: Refer): Markup {
  if (name === 'again') {
    return markup`<dt>${name}</dt><dd class="curl"><pre tabindex="0">${text}</pre></dd>`
  }
  if (name === 'response' && evidence !== undefined) {
    return markup`<dt>${name}</dt><dd>${evidenceBlock(evidence)}</dd>`
  }
  return markup`<dt>${name}</dt><dd>${name === 'exchanges' ? references(exchanges, refer) : text}</dd>`
}

/** A broken rule with its facts. */
function card(rule: RuleResult, refer: Refer, isOpen: boolean): Markup {
  const { id, verdict: name, level, section, title, statement, reason } = rule
  const shown = facts(rule)
    .filter((fact) => !shownElsewhere.includes(fact.name))
    .map((fact) => factPair(fact, rule, refer))
  return markup`<details class="card ${name}" data-verdict="${name}"${isOpen && ' open'}><summary><h3><span class="verdict ${name}">${verdicts[name].mark}</span> ${id} <span class="soft">${level}, section ${section}</span></h3> <span class="soft reason">${reason}</span></summary>
<p>${withCode(title)} <span class="soft">${statementAnchor(statement)}</span></p>
<dl class="facts">${shown}</dl>
</details>
`
}

/** Broken rules with all their facts. Of a cause, the first one is open. */
export function ruleCards(rules: readonly RuleResult[], refer: Refer, isOfCause = false): readonly Markup[] {
  return rules.map((rule, index) => card(rule, refer, !isOfCause || index === 0))
}

function row(rule: RuleResult, refer: Refer): Markup {
  const known = rule.known !== undefined && markup`<p class="soft">Known failure: ${rule.known}</p>`
  const evidence = rule.exchanges.length > 0 && markup` · Evidence: ${references(rule.exchanges, refer)}`
  return markup`<tr data-verdict="${rule.verdict}"><th scope="row">${rule.id} <span class="soft">${rule.level}, ${rule.profile}</span></th><td>${verdict(rule)}</td>
<td>${withCode(rule.title)}<p class="soft">${rule.reason}</p>${known}<div class="soft">${statementAnchor(rule.statement)}${evidence}</div></td></tr>
`
}

/** Links to the tables of the sections. */
export function sectionLinks(all: readonly Section[]): Markup {
  const links = all.map(({ name, rules }) => markup`<a href="#section-${rules[0]?.section}">${name}</a> `)
  return markup`<nav aria-label="Sections of the interface">${links}</nav>\n`
}

/** A table of all rules of one section of the interface. */
export function sectionTable({ name, rules }: Section, refer: Refer): Markup {
  return markup`<table class="rules" id="section-${rules[0]?.section}"><caption>${name}</caption>
<thead><tr><th scope="col">Rule</th><th scope="col">Verdict</th><th scope="col">What it requires, and the reason of the verdict</th></tr></thead>
<tbody>
${rules.map((rule) => row(rule, refer))}</tbody></table>
`
}

/** The causes in short, as links to what the page shows of them. */
export function causeLinks(groups: readonly CauseGroup[]): Markup {
  if (groups.length === 0) return markup``
  const items = groups.map(
    ({ cause, number, rules }) =>
      markup`<li><a href="#cause-${number}">${cause.title}</a> <span class="soft">${shortened(rules.map(({ id }) => id))}</span></li>\n`,
  )
  return markup`<ol class="causes">${items}</ol>`
}

/** A cause with what to do, and below it the broken rules that it explains. The first ones show the fault. */
export function causeSection({ cause, number, rules, broken }: CauseGroup, refer: Refer): Markup {
  const explained = byVerdict(rules).map((line) => markup`<li>${line}</li>`)
  return markup`<article class="cause" id="cause-${number}">
<h3>${number}. ${cause.title} <span class="soft">${cause.id}</span></h3>
<p class="advice">${cause.advice}</p>
<ul class="soft">${explained}<li>Shown by ${references(cause.exchanges, refer)}</li></ul>
${ruleCards(broken, refer, true)}</article>
`
}

const headerLines = (headers: HeaderList): readonly Markup[] =>
  headers.map(([name, value]) => markup`${name}: ${value}\n`)

const block = (heading: string, first: string, headers: HeaderList, body: string | undefined): Markup =>
  markup`<h3>${heading}</h3>
<pre tabindex="0">${first}\n${headerLines(headers)}${body && markup`\n${multiline(body)}`}</pre>
`

function responseBlock({ response, error }: ReportExchange): Markup {
  if (response === undefined) return markup`<h3>No response</h3>\n<pre tabindex="0">${error}</pre>\n`
  return block(
    `Response after ${response.ms} ms`,
    `Status ${response.status}`,
    response.headers,
    response.body,
  )
}

/** Every exchange, folded. The anchor is inside, so that a link to it unfolds it. */
export function exchangeList(exchanges: readonly ReportExchange[]): readonly Markup[] {
  return exchanges.map((exchange, index) => {
    const { id, request, response } = exchange
    const line = `${request.method} ${request.target}`
    return markup`<details><summary><code>${line}</code> <b>${response?.status ?? 'no response'}</b> <span class="soft">${id}</span></summary>
<div id="exchange-${index + 1}">
${block('Request', line, request.headers, request.body)}${responseBlock(exchange)}</div></details>
`
  })
}
