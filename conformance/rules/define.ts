import { sectionOf } from '../statements.ts'
import { responses, unreadProblem } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import type { Finding, Level, Rule, RuleProfile } from './rule.ts'

/** Creates a rule of one level. */
type Define = (id: string, statement: string, title: string, judge: Rule['judge']) => Rule

/** Returns the functions that create rules of a profile, by level. */
export function rulesOf(profile: RuleProfile): Readonly<Record<'must' | 'should' | 'http', Define>> {
  const define =
    (level: Level): Define =>
    (id, statement, title, judge) => ({
      id,
      level,
      section: sectionOf(statement),
      statement,
      title,
      profile,
      judge: (transcript) => explained(judge(transcript), transcript),
    })
  return { must: define('MUST'), should: define('SHOULD'), http: define('HTTP') }
}

/** Adds to the reason of missing evidence that a body could not be read. */
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
