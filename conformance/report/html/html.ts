import { createHash } from 'node:crypto'
import {
  causeGroups,
  causeHeadline,
  runFacts,
  runProblems,
  shortHeadline,
  tone,
  unexplained,
} from '../outcome.ts'
import type { Report } from '../report.ts'
import { sections } from '../sections.ts'
import { verdictNames, verdicts } from '../verdicts.ts'
import {
  causeLinks,
  causeSection,
  exchangeList,
  type Refer,
  ruleCards,
  sectionLinks,
  sectionTable,
  statementAnchor,
  statementList,
} from './html-rules.ts'
import { htmlScript } from './html-script.ts'
import { htmlStyle } from './html-style.ts'
import { Markup, markup } from './markup.ts'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page loads nothing. Its own style and its own script are the only ones allowed. */
const policy = `default-src 'none'; style-src ${hashOf(htmlStyle)}; script-src ${hashOf(htmlScript)}; base-uri 'none'; form-action 'none'`

/** A part of the page with a heading, to which the navigation leads. */
interface Part {
  readonly id: string
  /** Its name in the navigation. */
  readonly name: string
  readonly heading: string
  readonly content: readonly Markup[]
}

const part = (id: string, name: string, heading: string, content: readonly Markup[]): Part => ({
  id,
  name,
  heading,
  content,
})

const section = ({ id, heading, content }: Part): Markup =>
  markup`<section id="${id}">\n<h2>${heading}</h2>\n${content}</section>\n`

const navigation = (parts: readonly Part[]): Markup =>
  markup`<nav aria-label="Parts of the report">${parts.map(({ id, name }) => markup`<a href="#${id}">${name}</a> `)}</nav>`

function table(head: readonly string[], rows: readonly (readonly Markup[])[]): readonly Markup[] {
  if (rows.length === 0) return []
  const cells = (row: readonly Markup[]): readonly Markup[] => row.map((cell) => markup`<td>${cell}</td>`)
  return [
    markup`<div class="scroll" tabindex="0"><table><thead><tr>${head.map((cell) => markup`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${cells(row)}</tr>\n`)}</tbody></table></div>
`,
  ]
}

function partsOf(report: Report): readonly Part[] {
  const anchors = new Map(report.exchanges.map(({ id }, index) => [id, `exchange-${index + 1}`]))
  const refer: Refer = (id) =>
    anchors.has(id) ? markup`<a href="#${anchors.get(id)}">${id}</a>` : markup`${id}`
  const causes = causeGroups(report)
  const { failures, warnings, known } = unexplained(report)
  const others = causes.length > 0 ? ' without a common cause' : ''
  const observations = report.observations.map(({ gap, statement, observed }) => [
    markup`${gap} <div class="soft">${statementAnchor(statement)}</div>`,
    markup`${observed}`,
  ])
  const all = sections(report)
  const created = report.created.map(({ id, name }) => [markup`${id}`, markup`${name}`])
  const statements = [...report.rules, ...report.observations].map(({ statement }) => statement)
  const parts = [
    part(
      'causes',
      'Causes',
      causeHeadline(report) ?? 'Causes',
      causes.map((each) => causeSection(each, refer)),
    ),
    part('broken', 'Broken', `Broken${others}`, ruleCards(failures, refer)),
    part('warnings', 'Warnings', `Warnings${others}`, ruleCards(warnings, refer)),
    part('known', 'Known', 'Known failures', ruleCards(known, refer)),
    part('rules', 'Rules', 'Rules', [sectionLinks(all), ...all.map((each) => sectionTable(each, refer))]),
    part(
      'open',
      'Left open',
      'What the interface leaves open',
      table(['Gap', 'This deployment'], observations),
    ),
    part('animals', 'Animals', 'Animals created by this run', table(['Id', 'Name'], created)),
    part('exchanges', 'Exchanges', 'Exchanges', exchangeList(report.exchanges)),
    part('statements', 'Statements', 'Statements of the interface', statementList(statements)),
  ]
  return parts.filter(({ content }) => content.length > 0)
}

/**
 * Returns a page with everything in the JSON report, without external resources. Its small script adds a filter and
 * buttons; everything is readable without it.
 */
export function html(report: Report): string {
  const { suite, target } = report
  const parts = partsOf(report)
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance of ${target.baseUrl}</title>
<style>${new Markup(htmlStyle)}</style>
</head>
<body id="top">
<header>
<h1>Pet adoption service: conformance report</h1>
<p class="target"><code>${target.baseUrl}</code></p>
${summary(report)}
</header>
<div class="bar"><div>
${navigation(parts)}
<div class="filter" role="search" hidden>
<label>Filter <input id="filter-text" type="search" placeholder="LIST, 404, Retry-After…"></label>
<label>Verdict <select id="filter-verdict">${verdictOptions()}</select></label>
<output id="filter-count"></output>
</div>
</div></div>
<main>
${parts.map(section)}</main>
<footer>${suite.name} ${suite.version}, interface ${suite.interface}</footer>
<a class="top" href="#top">↑ Top</a>
<script>${new Markup(htmlScript)}</script>
</body>
</html>
`.text
}

/** The options of the filter: every verdict. */
function verdictOptions(): readonly Markup[] {
  return [
    markup`<option value="">all</option>`,
    ...verdictNames.map((name) => markup`<option value="${name}">${name}</option>`),
  ]
}

/** The outcome, the causes, the counts and the costs of a run: what fits on one screen. */
export function summary(report: Report): Markup {
  const counts = verdictNames.map((name) => {
    const count = report.summary[name]
    return markup`<li class="${name}${count === 0 && ' zero'}"><a href="#rules" data-show="${name}"><b>${count}</b>${verdicts[name].counted}</a></li>`
  })
  const problems = runProblems(report)
  return markup`<div class="outcome ${tone(report)}"><p>${shortHeadline(report)}</p>${causeLinks(causeGroups(report))}</div>
${problems.map((problem) => markup`<p class="card warn"><b>${problem.title}:</b> ${problem.message}</p>\n`)}${report.notes.map(({ message }) => markup`<p class="card warn"><b>Note:</b> ${message}</p>\n`)}
<ul class="counts">${counts}</ul>
<p class="soft">A requirement is a rule of the level MUST. The other levels, SHOULD and HTTP, warn.</p>
<dl class="run">${runFacts(report).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
