import { shortened } from '../facts.ts'
import { byVerdict, type CauseGroup } from '../groups.ts'
import { type Refer, references, ruleCards } from './html-rules.ts'
import { type Markup, markup } from './markup.ts'

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
  const explained = byVerdict(rules).map(
    ({ verdict, ids }) => markup`<li>${ids.length} ${verdict.counted}: ${ids.join(', ')}</li>`,
  )
  return markup`<article class="cause" id="cause-${number}">
<h3>${number}. ${cause.title} <span class="soft">${cause.id}</span></h3>
<p class="advice">${cause.advice}</p>
<ul class="soft">${explained}<li>Shown by ${references(cause.exchanges, refer)}</li></ul>
${ruleCards(broken, refer, 'folded')}</article>
`
}
