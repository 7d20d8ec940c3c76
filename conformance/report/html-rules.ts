import { statementLink } from '../statements.ts'
import { facts } from './facts.ts'
import { type Markup, markup } from './markup.ts'
import type { RuleResult } from './report.ts'
import type { Section } from './sections.ts'
import { isKnown, verdicts } from './verdicts.ts'

/** Returns the id of an exchange, as a link if the page shows the exchange. */
export type Refer = (id: string) => Markup

/** A longer list of exchanges is folded. */
const mostUnfolded = 5

/** The title of a rule with its code spans. It needs no other escapes, as the suite wrote it. */
const title = (rule: RuleResult): readonly Markup[] =>
  rule.title
    .split('`')
    .map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))

function verdict(rule: RuleResult): Markup {
  const note = isKnown(rule) ? 'known' : rule.deselected
  return markup`<span class="verdict ${rule.verdict}">${verdicts[rule.verdict].mark} ${rule.verdict}</span>${note && ` (${note})`}`
}

function references({ exchanges }: RuleResult, refer: Refer): Markup {
  const links = exchanges.map((id, index) => markup`${index > 0 && ', '}${refer(id)}`)
  if (exchanges.length <= mostUnfolded) return markup`${links}`
  return markup`<details class="inline"><summary>${exchanges.length} exchanges</summary>${links}</details>`
}

function card(rule: RuleResult, refer: Refer): Markup {
  const shown = facts(rule).map(({ name, text }) => {
    const special = { again: markup`<pre>${text}</pre>`, exchanges: references(rule, refer) }
    return markup`<dt>${name}</dt><dd>${name === 'again' || name === 'exchanges' ? special[name] : text}</dd>`
  })
  return markup`<article class="card ${rule.verdict}">
<h3>${rule.id}: ${title(rule)}</h3>
<p class="soft">${rule.level}, section ${rule.section} of the interface</p>
<dl class="facts">${shown}</dl>
</article>
`
}

/** Broken rules, each with all its facts. */
export function ruleCards(rules: readonly RuleResult[], refer: Refer): readonly Markup[] {
  return rules.map((rule) => card(rule, refer))
}

function row(rule: RuleResult, refer: Refer): Markup {
  const known = rule.known !== undefined && markup`<p class="soft">Known failure: ${rule.known}</p>`
  const evidence =
    rule.exchanges.length > 0 && markup`<div class="soft">Evidence: ${references(rule, refer)}</div>`
  return markup`<tr><th scope="row">${rule.id} <span class="soft">${rule.level}, ${rule.profile}</span></th><td>${verdict(rule)}</td>
<td>${title(rule)}<p class="soft">${rule.reason}</p><p class="soft">${statementLink(rule.statement)}</p>${known}${evidence}</td></tr>
`
}

/** A table of all rules of one section of the interface. */
export function sectionTable({ name, rules }: Section, refer: Refer): Markup {
  return markup`<table class="rules"><caption>${name}</caption>
<thead><tr><th scope="col">Rule</th><th scope="col">Verdict</th><th scope="col">What it requires, and the reason of the verdict</th></tr></thead>
<tbody>
${rules.map((rule) => row(rule, refer))}</tbody></table>
`
}
