import { type Change, difference } from '../difference.ts'
import type { Report } from '../report.ts'
import { verdicts } from '../verdicts.ts'
import { type Markup, markup } from './markup.ts'

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
