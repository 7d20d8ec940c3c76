import { createHash } from 'node:crypto'
import { facts } from './facts.ts'
import { exchangeList } from './html-exchanges.ts'
import { htmlStyle } from './html-style.ts'
import { Markup, markup } from './markup.ts'
import { headline, runFaults } from './outcome.ts'
import type { Report, RuleResult } from './report.ts'
import { type Section, sections } from './sections.ts'
import { brokenRules, isKnown, verdictNames, verdicts } from './verdicts.ts'

/** Nothing may be loaded and nothing may run; of styles only ours. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(htmlStyle).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** A title with its code spans; the suite wrote it. */
const title = (rule: RuleResult): readonly Markup[] =>
  rule.title
    .split('`')
    .map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))

const verdict = (rule: RuleResult): Markup =>
  markup`<span class="verdict ${rule.verdict}">${verdicts[rule.verdict].mark} ${rule.verdict}</span>${isKnown(rule) && ' (known)'}`

type Refer = (id: string) => Markup

const references = (rule: RuleResult, refer: Refer): readonly Markup[] =>
  rule.exchanges.map((id, index) => markup`${index > 0 && ', '}${refer(id)}`)

function card(rule: RuleResult, refer: Refer): Markup {
  const shown = facts(rule).map(({ name, text }) => {
    const content = { again: markup`<pre>${text}</pre>`, exchanges: references(rule, refer) }
    return markup`<dt>${name}</dt><dd>${name === 'again' || name === 'exchanges' ? content[name] : text}</dd>`
  })
  return markup`<article class="card ${rule.verdict}">
<h3>${rule.id}: ${title(rule)}</h3>
<p class="soft">${rule.level}, section ${rule.section} of the specification</p>
<dl class="facts">${shown}</dl>
</article>
`
}

function ruleRow(rule: RuleResult, refer: Refer): Markup {
  const known = rule.known !== undefined && markup`<p class="soft">Known failure: ${rule.known}</p>`
  const evidence =
    rule.exchanges.length > 0 && markup`<p class="soft">Exchanges: ${references(rule, refer)}</p>`
  return markup`<tr><th scope="row">${rule.id} <span class="soft">${rule.level}, ${rule.profile}</span></th><td>${verdict(rule)}</td>
<td>${title(rule)}<p class="soft">${rule.reason}</p>${known}${evidence}</td></tr>
`
}

const sectionTable = ({ name, rules }: Section, refer: Refer): Markup =>
  markup`<table class="rules"><caption>${name}</caption>
<thead><tr><th scope="col">Rule</th><th scope="col">Verdict</th><th scope="col">What it asks, and why the verdict</th></tr></thead>
<tbody>
${rules.map((rule) => ruleRow(rule, refer))}</tbody></table>
`

const part = (heading: string, content: readonly Markup[]): Markup =>
  content.length === 0 ? markup`` : markup`<section>\n<h2>${heading}</h2>\n${content}</section>\n`

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly Markup[] {
  if (rows.length === 0) return []
  const cells = (row: readonly string[]): readonly Markup[] => row.map((cell) => markup`<td>${cell}</td>`)
  return [
    markup`<table><thead><tr>${head.map((cell) => markup`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${cells(row)}</tr>\n`)}</tbody></table>
`,
  ]
}

function summary(report: Report): Markup {
  const counts = verdictNames.map((name) => {
    const count = report.summary[name]
    return markup`<li class="${name}${count === 0 && ' zero'}"><b>${count}</b>${verdicts[name].counted}</li>`
  })
  const run = {
    Profile: report.profile,
    Started: report.startedAt,
    Took: `${report.durationMs} ms`,
    Requests: report.requests,
    'Animals created': report.creates,
  }
  const tone =
    brokenRules(report).failures.length > 0 ? 'fail' : runFaults(report).length > 0 ? 'warn' : 'pass'
  return markup`<p class="outcome ${tone}">${headline(report)}</p>
${runFaults(report).map((fault) => markup`<p class="card warn"><b>${fault.title}:</b> ${fault.message}</p>\n`)}
<ul class="counts">${counts}</ul>
<dl class="run">${Object.entries(run).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** One page that holds all that the JSON report holds, with no script and nothing from outside. */
export function html(report: Report): string {
  const anchors = new Map(report.exchanges.map(({ id }, index) => [id, `exchange-${index + 1}`]))
  const refer: Refer = (id) =>
    anchors.has(id) ? markup`<a href="#${anchors.get(id)}">${id}</a>` : markup`${id}`
  const cards = (rules: readonly RuleResult[]): readonly Markup[] => rules.map((rule) => card(rule, refer))
  const { suite, target } = report
  const { failures, warnings, known } = brokenRules(report)
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance of ${target.baseUrl}</title>
<style>${new Markup(htmlStyle)}</style>
</head>
<body>
<header>
<h1>Pet adoption service: conformance report</h1>
<p class="target"><code>${target.baseUrl}</code></p>
${summary(report)}
</header>
<main>
${part('Broken', cards(failures))}${part('Warnings', cards(warnings))}${part('Known failures', cards(known))}
${part(
  'Rules',
  sections(report).map((each) => sectionTable(each, refer)),
)}
${part(
  'What the specification leaves open',
  table(
    ['Gap', 'Section', 'This deployment'],
    report.observations.map(({ gap, section, observed }) => [gap, section, observed]),
  ),
)}
${part(
  'Animals created by this run',
  table(
    ['Id', 'Name'],
    report.created.map(({ id, name }) => [id, name]),
  ),
)}
${part('Exchanges', exchangeList(report.exchanges))}
</main>
<footer>${suite.name} ${suite.version}, interface ${suite.interface}</footer>
</body>
</html>
`.text
}
