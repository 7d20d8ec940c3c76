import { createHash } from 'node:crypto'
import { plural } from '../transcript/printable.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import {
  folded,
  formatCause,
  formatFaultLists,
  formatRuleSections,
  formatStatements,
  statementAnchor,
} from './html-rules.ts'
import { type Markup, markup, multiline } from './markup.ts'
import { duration, formatCauseHeadline, outcome, runProblems, tone } from './outcome.ts'
import type { Report, ReportExchange } from './report.ts'
import { verdictNames, verdicts } from './report.ts'
import { readPackageFile, sections } from './statements.ts'

/** A part of the page: its id, its name in the navigation, its heading and its content. */
type Part = readonly [id: string, name: string, heading: string, content: readonly Markup[]]

const pairs = (rows: readonly (readonly [Markup, Markup])[]): readonly Markup[] =>
  rows.length === 0
    ? []
    : [
        markup`<dl class="pairs">${rows.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>\n`,
      ]

/** Content behind a line that unfolds it, so that the keyboard gets past it in few steps. */
const fold = (line: string, content: readonly Markup[]): readonly Markup[] =>
  content.length === 0 ? [] : [markup`<details><summary>${line}</summary>\n<div>${content}</div></details>\n`]

const block = (heading: string, first: string, headers: HeaderList, body: string | undefined): Markup =>
  markup`<h3>${heading}</h3>
<pre tabindex="0">${first}\n${headers.map(([name, value]) => markup`${name}: ${value}\n`)}${body && markup`\n${multiline(body)}`}</pre>
`

/** An exchange, folded. */
function exchangePart({ id, request, response, error }: ReportExchange): Markup {
  const line = `${request.method} ${request.target}`
  const received = response
    ? block(`Response after ${response.ms} ms`, `Status ${response.status}`, response.headers, response.body)
    : markup`<h3>No response</h3>\n<pre tabindex="0">${error}</pre>\n`
  return folded(
    markup``,
    markup`<code>${line}</code> <b>${response?.status ?? 'no response'}</b> <span class="soft">${id}</span>`,
    `exchanges-${id}`,
    markup`${block('Request', line, request.headers, request.body)}${received}`,
  )
}

function listParts(report: Report): readonly Part[] {
  const { causes, rules, created, exchanges } = report
  const observations = report.observations.map(({ gap, section, statement, observed }) => {
    const place = markup`<span class="soft">section ${section}, ${statementAnchor(statement)}</span>`
    return [markup`${gap} ${place}`, markup`${observed}`] as const
  })
  const animals = created.map(({ id, name }) => [markup`${id}`, markup`${name}`] as const)
  const statements = [...rules, ...report.observations].map(({ statement }) => statement)
  const causeParts = causes.map((cause, index) => formatCause(cause, index, report))
  const parts: readonly Part[] = [
    ['causes', 'Causes', formatCauseHeadline(report) ?? 'Causes', causeParts],
    ['rules', 'Rules', 'Rules', formatRuleSections(sections(report))],
    [
      'open',
      'Left open',
      'What the interface leaves open, and what this deployment does',
      fold(`${plural(observations.length, 'observation')}`, pairs(observations)),
    ],
    ['animals', 'Animals', 'Animals created by this run', pairs(animals)],
    [
      'exchanges',
      'Exchanges',
      'Exchanges',
      fold(plural(exchanges.length, 'exchange'), exchanges.map(exchangePart)),
    ],
    ['statements', 'Statements', 'Statements of the interface', formatStatements(statements)],
  ]
  return parts.filter(([, , , content]) => content.length > 0)
}

/**
 * Returns a page with everything in the JSON report, without external resources. Its small script adds a filter and
 * buttons; everything is readable without it.
 */
export function html(report: Report): string {
  const { suite, target } = report
  const page = readPackageFile('report/page.html')
  const parts = listParts(report)
  const places: Readonly<Record<string, Markup>> = {
    policy: markup`${createPolicy(page)}`,
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
function createPolicy(page: string): string {
  const [style, script] = ['style', 'script'].map((tag) => {
    const text = page.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? ''
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  })
  return `default-src 'none'; style-src ${style}; script-src ${script}; base-uri 'none'; form-action 'none'`
}

/** The outcome, what is broken, the counts and the costs of a run: what fits on one screen. */
function summary(report: Report): Markup {
  const counts = verdictNames.map((name) => {
    const count = report.summary[name]
    return markup`<li class="${name}${count === 0 && ' zero'}"><a href="#rules" data-show="${name}"><b>${count}</b>${verdicts[name].counted}</a></li>`
  })
  const notes = report.notes.map(({ message }) => ({ title: 'Note', message }))
  const remarks = [...runProblems(report), ...notes].map(
    ({ title, message }) => markup`<p class="card warn"><b>${title}:</b> ${message}</p>\n`,
  )
  const run = Object.entries({
    Profile: report.profile,
    Started: report.startedAt,
    Took: duration(report),
    Requests: report.requests,
    'Animals created': report.creates,
  }).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  return markup`<div class="outcome ${tone(report)}"><p>${outcome(report).text}</p>${formatFaultLists(report)}</div>
${remarks}
<ul class="counts">${counts}</ul>
<p class="soft">A requirement is a rule of the level MUST. The other levels, SHOULD and HTTP, warn.</p>
<dl class="run">${run}</dl>`
}
