import { createHash } from 'node:crypto'
import { statementLink } from '../statements.ts'
import { exchangeList } from './html-exchanges.ts'
import { type Refer, ruleCards, sectionTable } from './html-rules.ts'
import { htmlStyle } from './html-style.ts'
import { Markup, markup } from './markup.ts'
import { headline, runProblems } from './outcome.ts'
import type { Report } from './report.ts'
import { sections } from './sections.ts'
import { brokenRules, verdictNames, verdicts } from './verdicts.ts'

/** The page loads nothing and runs nothing. Its own style is the only one allowed. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(htmlStyle).digest('base64')}'; base-uri 'none'; form-action 'none'`

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
    brokenRules(report).failures.length > 0 ? 'fail' : runProblems(report).length > 0 ? 'warn' : 'pass'
  return markup`<p class="outcome ${tone}">${headline(report)}</p>
${runProblems(report).map((problem) => markup`<p class="card warn"><b>${problem.title}:</b> ${problem.message}</p>\n`)}
<ul class="counts">${counts}</ul>
<dl class="run">${Object.entries(run).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Returns a page with everything in the JSON report, without scripts and external resources. */
export function html(report: Report): string {
  const anchors = new Map(report.exchanges.map(({ id }, index) => [id, `exchange-${index + 1}`]))
  const refer: Refer = (id) =>
    anchors.has(id) ? markup`<a href="#${anchors.get(id)}">${id}</a>` : markup`${id}`
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
${part('Broken', ruleCards(failures, refer))}${part('Warnings', ruleCards(warnings, refer))}${part('Known failures', ruleCards(known, refer))}
${part(
  'Rules',
  sections(report).map((each) => sectionTable(each, refer)),
)}
${part(
  'What the interface leaves open',
  table(
    ['Gap', 'Section', 'Statement', 'This deployment'],
    report.observations.map(({ gap, section, statement, observed }) => [
      gap,
      section,
      statementLink(statement),
      observed,
    ]),
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
