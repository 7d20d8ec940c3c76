import { type Change, difference } from '../difference.ts'
import { causeGroups } from '../groups.ts'
import { duration, runProblems, shortHeadline, tone } from '../outcome.ts'
import type { Report } from '../report.ts'
import { verdictNames, verdicts } from '../verdicts.ts'
import { causeLinks } from './html-causes.ts'
import { type Markup, markup } from './markup.ts'

/** The options of the filter: every verdict. */
export function verdictOptions(): readonly Markup[] {
  return [
    markup`<option value="">all</option>`,
    ...verdictNames.map((name) => markup`<option value="${name}">${name}</option>`),
  ]
}

function changesSince(report: Report, earlier: Report): Markup {
  const { broke, mended, other } = difference(report, earlier)
  return markup`<p class="since"><a href="#difference">Changes since the run before</a>: ${broke.length} broken now, ${mended.length} no longer broken, ${other.length} others</p>`
}

/** The outcome, the causes, the counts and the costs of a run: what fits on one screen. */
export function summary(report: Report, earlier: Report | undefined): Markup {
  const counts = verdictNames.map((name) => {
    const count = report.summary[name]
    return markup`<li class="${name}${count === 0 && ' zero'}"><a href="#rules" data-show="${name}"><b>${count}</b>${verdicts[name].counted}</a></li>`
  })
  const run = {
    Profile: report.profile,
    Started: report.startedAt,
    Took: duration(report),
    Requests: report.requests,
    'Animals created': report.creates,
  }
  const problems = runProblems(report)
  return markup`<div class="outcome ${tone(report)}"><p>${shortHeadline(report)}</p>${causeLinks(causeGroups(report))}</div>
${problems.map((problem) => markup`<p class="card warn"><b>${problem.title}:</b> ${problem.message}</p>\n`)}${report.notes.map(({ message }) => markup`<p class="card warn"><b>Note:</b> ${message}</p>\n`)}${earlier && changesSince(report, earlier)}
<ul class="counts">${counts}</ul>
<p class="soft">A requirement is a rule of the level MUST. The other levels, SHOULD and HTTP, warn.</p>
<dl class="run">${Object.entries(run).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

const change = ({ rule, before }: Change): Markup =>
  markup`<li><b>${rule.id}</b> ${before ?? 'new'} → <span class="verdict ${rule.verdict}">${verdicts[rule.verdict].mark} ${rule.verdict}</span> <span class="soft">${rule.reason}</span></li>\n`

const changes = (heading: string, all: readonly Change[]): Markup =>
  all.length === 0 ? markup`` : markup`<h3>${heading}: ${all.length}</h3>\n<ul>${all.map(change)}</ul>\n`

/** What differs from an earlier report. */
export function differenceSection(report: Report, earlier: Report | undefined): readonly Markup[] {
  if (earlier === undefined) return []
  const { broke, mended, other } = difference(report, earlier)
  const isSame = broke.length + mended.length + other.length === 0
  return [
    markup`<p class="soft">Compared with the run of ${earlier.startedAt} against <code>${earlier.target.baseUrl}</code></p>\n`,
    changes('Broken now', broke),
    changes('No longer broken', mended),
    changes('Other verdicts that changed', other),
    isSame ? markup`<p>Every rule has the verdict that it had.</p>\n` : markup``,
  ]
}
