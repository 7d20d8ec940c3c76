import { createHash } from 'node:crypto'
import { maxShownLength, shorten } from '../transcript/bounds.ts'
import { findGroups } from '../transcript/groups.ts'
import { pluralize } from '../transcript/printable.ts'
import type { Exchange, HeaderList } from '../transcript/transcript.ts'
import {
  formatCause,
  formatCollapsible,
  formatProblemLists,
  formatRuleSections,
  formatStatements,
  linkStatement,
} from './html-rules.ts'
import { escapeLines, type Markup, markup } from './markup.ts'
import {
  chooseTone,
  describeOutcome,
  formatCauseHeadline,
  formatDuration,
  listRunProblems,
} from './outcome.ts'
import type { Report } from './report.ts'
import { verdictNames, verdicts } from './report.ts'
import { groupBySection, readPackageFile } from './statements.ts'
import { formatWaterfall } from './waterfall.ts'

/** A section on the page. `name` is its label in the navigation. */
type Part = readonly [id: string, name: string, heading: string, content: readonly Markup[]]

const formatPairs = (rows: readonly (readonly [Markup, Markup])[]): readonly Markup[] =>
  rows.length === 0
    ? []
    : [
        markup`<dl class="pairs">${rows.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>\n`,
      ]

const formatDetails = (line: string, content: readonly Markup[]): readonly Markup[] =>
  content.length === 0 ? [] : [markup`<details><summary>${line}</summary>\n<div>${content}</div></details>\n`]

const formatHttpMessage = (
  heading: string,
  first: string,
  headers: HeaderList,
  body: string | undefined,
): Markup =>
  markup`<h3>${heading}</h3>
<pre tabindex="0">${first}\n${headers.map(([name, value]) => markup`${name}: ${value}\n`)}${body && markup`\n${escapeLines(body)}`}</pre>
`

function formatExchange({ id, credential, at, request, response, error }: Exchange): Markup {
  const line = `${request.method} ${request.target}`
  const receivedResponse = response
    ? formatHttpMessage(
        `Response after ${response.ms} ms`,
        `Status ${response.status}`,
        response.headers,
        shorten(response.body, maxShownLength),
      )
    : markup`<h3>No response</h3>\n<pre tabindex="0">${error}</pre>\n`
  return formatCollapsible(
    markup``,
    markup`<code>${line}</code> <b>${response?.status ?? 'no response'}</b> <span class="soft">${id}</span>`,
    `exchanges-${id}`,
    markup`${formatHttpMessage(`Request after ${at} ms, credential ${credential}`, line, request.headers, request.body)}${receivedResponse}`,
  )
}

function createParts(report: Report): readonly Part[] {
  const { causes, rules, created, exchanges } = report
  const observations = report.observations.map(({ gap, section, statement, observed }) => {
    const sectionLink = markup`<span class="soft">section ${section}, ${linkStatement(statement)}</span>`
    return [markup`${gap} ${sectionLink}`, markup`${observed}`] as const
  })
  const animals = created.map(({ id, name }) => [markup`${id}`, markup`${name}`] as const)
  const statements = [...rules, ...report.observations].map(({ statement }) => statement)
  const causeParts = causes.map((cause, index) => formatCause(cause, index, report))
  const parts: readonly Part[] = [
    ['causes', 'Causes', formatCauseHeadline(report) ?? 'Causes', causeParts],
    ['rules', 'Rules', 'Rules', formatRuleSections(groupBySection(report))],
    [
      'open',
      'Open',
      'Behavior that the interface leaves open',
      formatDetails(`${pluralize(observations.length, 'observation')}`, formatPairs(observations)),
    ],
    ['animals', 'Animals', 'Animals created by this run', formatPairs(animals)],
    ['parallel', 'Parallel', 'Parallel requests', findGroups(report).map(formatWaterfall)],
    [
      'exchanges',
      'Exchanges',
      'Exchanges',
      formatDetails(pluralize(exchanges.length, 'exchange'), exchanges.map(formatExchange)),
    ],
    ['statements', 'Statements', 'Interface statements', formatStatements(statements)],
  ]
  return parts.filter(([, , , content]) => content.length > 0)
}

/**
 * Formats a report as one HTML page that loads nothing else. It contains everything in the JSON report, and can be read
 * without its script.
 */
export function formatHtml(report: Report): string {
  const { suite, target } = report
  const pageTemplate = readPackageFile('report/page.html')
  const pageParts = createParts(report)
  const templateParts: Readonly<Record<string, Markup>> = {
    policy: markup`${createSecurityPolicy(pageTemplate)}`,
    baseUrl: markup`${target.baseUrl}`,
    summary: formatSummary(report),
    navigation: markup`${pageParts.map(([id, name]) => markup`<a href="#${id}">${name}</a> `)}`,
    verdicts: markup`${verdictNames.map((name) => markup`<option value="${name}">${name}</option>`)}`,
    parts: markup`${pageParts.map(([id, , heading, content]) => markup`<section id="${id}">\n<h2>${heading}</h2>\n${content}</section>\n`)}`,
    suite: markup`${suite.name} ${suite.version}, interface ${suite.interface}`,
  }
  return pageTemplate.replace(/\{\{(\w+)\}\}/g, (_, name: string) => templateParts[name]?.text ?? '')
}

/** Creates a Content Security Policy that only allows the page's own style and script. */
function createSecurityPolicy(page: string): string {
  const [style, script] = ['style', 'script'].map((tag) => {
    const elementText = page.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? ''
    return `'sha256-${createHash('sha256').update(elementText).digest('base64')}'`
  })
  return `default-src 'none'; style-src ${style}; script-src ${script}; base-uri 'none'; form-action 'none'`
}

function formatSummary(report: Report): Markup {
  const verdictCounts = verdictNames.map((name) => {
    const verdictCount = report.summary[name]
    return markup`<li class="${name}${verdictCount === 0 && ' zero'}"><a href="#rules" data-show="${name}"><b>${verdictCount}</b>${verdicts[name].label}</a></li>`
  })
  const notes = report.notes.map(({ message }) => ({ title: 'Note', message }))
  const remarks = [...listRunProblems(report), ...notes].map(
    ({ title, message }) => markup`<p class="card warn"><b>${title}:</b> ${message}</p>\n`,
  )
  const runFacts = Object.entries({
    Profile: report.profile,
    Started: report.startedAt,
    Took: formatDuration(report),
    Requests: report.requests,
    'Animals created': report.creates,
  }).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  return markup`<div class="outcome ${chooseTone(report)}"><p>${describeOutcome(report).text}</p>${formatProblemLists(report)}</div>
${remarks}
<ul class="counts">${verdictCounts}</ul>
<p class="soft">A requirement is a rule with the level MUST. Rules with the levels SHOULD and HTTP only warn.</p>
<dl class="run">${runFacts}</dl>`
}
