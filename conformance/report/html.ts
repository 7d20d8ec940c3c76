import { createHash } from 'node:crypto'
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
import { type Markup, markup } from './markup.ts'
import {
  causeGroups,
  causeHeadline,
  runFacts,
  runProblems,
  shortHeadline,
  tone,
  unexplained,
} from './outcome.ts'
import type { Report } from './report.ts'
import { verdictNames, verdicts } from './report.ts'
import { packageFile, sections } from './statements.ts'

/** A part of the page: its id, its name in the navigation, its heading and its content. */
type Part = readonly [id: string, name: string, heading: string, content: readonly Markup[]]

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
  const parts: readonly Part[] = [
    ['causes', 'Causes', causeHeadline(report) ?? 'Causes', causes.map((each) => causeSection(each, refer))],
    ['broken', 'Broken', `Broken${others}`, ruleCards(failures, refer)],
    ['warnings', 'Warnings', `Warnings${others}`, ruleCards(warnings, refer)],
    ['known', 'Known', 'Known failures', ruleCards(known, refer)],
    ['rules', 'Rules', 'Rules', [sectionLinks(all), ...all.map((each) => sectionTable(each, refer))]],
    ['open', 'Left open', 'What the interface leaves open', table(['Gap', 'This deployment'], observations)],
    ['animals', 'Animals', 'Animals created by this run', table(['Id', 'Name'], created)],
    ['exchanges', 'Exchanges', 'Exchanges', exchangeList(report.exchanges)],
    ['statements', 'Statements', 'Statements of the interface', statementList(statements)],
  ]
  return parts.filter(([, , , content]) => content.length > 0)
}

/**
 * Returns a page with everything in the JSON report, without external resources. Its small script adds a filter and
 * buttons; everything is readable without it.
 */
export function html(report: Report): string {
  const { suite, target } = report
  const page = packageFile('report/page.html')
  const parts = partsOf(report)
  const places: Readonly<Record<string, Markup>> = {
    policy: markup`${policyOf(page)}`,
    baseUrl: markup`${target.baseUrl}`,
    summary: summary(report),
    navigation: markup`${parts.map(([id, name]) => markup`<a href="#${id}">${name}</a> `)}`,
    verdicts: markup`${verdictNames.map((name) => markup`<option value="${name}">${name}</option>`)}`,
    parts: markup`${parts.map(([id, , heading, content]) => markup`<section id="${id}">\n<h2>${heading}</h2>\n${content}</section>\n`)}`,
    suite: markup`${suite.name} ${suite.version}, interface ${suite.interface}`,
  }
  return page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => places[name]?.text ?? '')
}

/** The page loads nothing. Its own style and its own script are the only ones allowed. */
function policyOf(page: string): string {
  const [style, script] = ['style', 'script'].map((tag) => {
    const text = page.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? ''
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  })
  return `default-src 'none'; style-src ${style}; script-src ${script}; base-uri 'none'; form-action 'none'`
}

/** The outcome, the causes, the counts and the costs of a run: what fits on one screen. */
function summary(report: Report): Markup {
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
