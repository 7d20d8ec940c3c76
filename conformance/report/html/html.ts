import { createHash } from 'node:crypto'
import { causeGroups, unexplained } from '../groups.ts'
import { causeHeadline } from '../outcome.ts'
import type { Report } from '../report.ts'
import { sections } from '../sections.ts'
import { causeSection } from './html-causes.ts'
import { exchangeList } from './html-exchanges.ts'
import {
  type Refer,
  ruleCards,
  sectionLinks,
  sectionTable,
  statementAnchor,
  statementList,
} from './html-rules.ts'
import { htmlScript } from './html-script.ts'
import { htmlStyle } from './html-style.ts'
import { differenceSection, summary, verdictOptions } from './html-summary.ts'
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

function partsOf(report: Report, earlier: Report | undefined): readonly Part[] {
  const anchors = new Map(report.exchanges.map(({ id }, index) => [id, `exchange-${index + 1}`]))
  const refer: Refer = (id) =>
    anchors.has(id) ? markup`<a href="#${anchors.get(id)}">${id}</a>` : markup`${id}`
  const causes = causeGroups(report)
  const { failures, warnings, known } = unexplained(report)
  const others = causes.length > 0 ? ' without a common cause' : ''
  const observations = report.observations.map(({ gap, section, statement, observed }) => [
    markup`${gap}`,
    markup`${section}`,
    statementAnchor(statement),
    markup`${observed}`,
  ])
  const all = sections(report)
  const created = report.created.map(({ id, name }) => [markup`${id}`, markup`${name}`])
  const parts: readonly Part[] = [
    {
      id: 'causes',
      name: 'Causes',
      heading: causeHeadline(report) ?? 'Causes',
      content: causes.map((each) => causeSection(each, refer)),
    },
    { id: 'broken', name: 'Broken', heading: `Broken${others}`, content: ruleCards(failures, refer) },
    { id: 'warnings', name: 'Warnings', heading: `Warnings${others}`, content: ruleCards(warnings, refer) },
    { id: 'known', name: 'Known', heading: 'Known failures', content: ruleCards(known, refer) },
    {
      id: 'difference',
      name: 'Changes',
      heading: 'Changes since the run before',
      content: differenceSection(report, earlier),
    },
    {
      id: 'rules',
      name: 'Rules',
      heading: 'Rules',
      content: [sectionLinks(all), ...all.map((each) => sectionTable(each, refer))],
    },
    {
      id: 'open',
      name: 'Open',
      heading: 'What the interface leaves open',
      content: table(['Gap', 'Section', 'Statement', 'This deployment'], observations),
    },
    {
      id: 'animals',
      name: 'Animals',
      heading: 'Animals created by this run',
      content: table(['Id', 'Name'], created),
    },
    {
      id: 'exchanges',
      name: 'Exchanges',
      heading: 'Exchanges',
      content: exchangeList(report.exchanges),
    },
    {
      id: 'statements',
      name: 'Statements',
      heading: 'Statements of the interface',
      content: statementList([...report.rules, ...report.observations].map(({ statement }) => statement)),
    },
  ]
  return parts.filter(({ content }) => content.length > 0)
}

/**
 * Returns a page with everything in the JSON report, without external resources. Its small script adds a filter and
 * buttons; everything is readable without it.
 *
 * @param earlier An earlier report. The page then shows what differs from it.
 */
export function html(report: Report, earlier?: Report): string {
  const { suite, target } = report
  const parts = partsOf(report, earlier)
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
${summary(report, earlier)}
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
