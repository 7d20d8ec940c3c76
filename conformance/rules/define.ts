import { responses, unreadProblem } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import type { Finding, Level, Rule, RuleProfile } from './rule.ts'

/** Makes a rule of one level. */
type Define = (id: string, section: string, title: string, judge: Rule['judge']) => Rule

/** Makers of the rules that one profile judges, by level. */
export function rulesOf(profile: RuleProfile): Readonly<Record<'must' | 'should' | 'http', Define>> {
  const define =
    (level: Level): Define =>
    (id, section, title, judge) => ({
      id,
      level,
      section,
      title,
      profile,
      judge: (transcript) => explained(judge(transcript), transcript),
    })
  return { must: define('MUST'), should: define('SHOULD'), http: define('HTTP') }
}

/** Evidence may be missing because a body could not be read: the reason then says so. */
function explained(finding: Finding, transcript: Transcript): Finding {
  if (finding.outcome !== 'no-evidence') return finding
  const unread = responses(transcript).filter(({ response }) => unreadProblem(response) !== undefined)
  const named = unread.filter(({ id }) => finding.exchanges.includes(id))
  const [first, ...others] = named.length > 0 ? named : unread
  if (first === undefined) return finding
  const more = others.length > 0 ? ` (and ${others.length} more were not read)` : ''
  return {
    ...finding,
    reason: `${finding.reason}; the body of ${first.id} ${unreadProblem(first.response)}${more}`,
  }
}
