import { shorten } from '../transcript/bounds.ts'
import { isInvalid, isPost } from '../transcript/creations.ts'
import { errorWords, responses, unreadProblem } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import type { Finding, Level, Rule, RuleProfile } from './rule.ts'
import { sectionOf } from './statements.ts'

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

/** Adds to the reason of missing evidence what the deployment says of a valid body, or that a body could not be read. */
function explained(finding: Finding, transcript: Transcript): Finding {
  if (finding.outcome !== 'no-evidence') return finding
  const words = rejection(finding, transcript)
  if (words !== undefined) return { ...finding, reason: shorten(`${finding.reason}; ${words}`) }
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

/** Quotes the 400 to a valid body that a finding is about, and says how to give a category that exists. */
function rejection({ reason, exchanges: [id] }: Finding, transcript: Transcript): string | undefined {
  const rejected = responses(transcript).find((recorded) => recorded.id === id)
  if (rejected === undefined || rejected.response.status !== 400) return undefined
  const { exchange, response } = rejected
  if (!isPost(exchange) || isInvalid(exchange.id) || exchange.credential !== 'key') return undefined
  const words = errorWords(response)
  const isNamed = transcript.categoryId !== undefined || reason.includes('--category-id')
  return [
    words === undefined ? 'the 400 gives no reason' : `the deployment says "${words}"`,
    ...(isNamed ? [] : ['if the category is at fault, name another one with --category-id']),
  ].join('; ')
}
