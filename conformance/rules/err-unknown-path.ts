import { limitHeader, limitHeaders } from '../transcript/rate-limits.ts'
import { type RecordedResponse, unreadProblem } from '../transcript/responses.ts'
import { rulesOf } from './define.ts'
import { isText, memberProblem } from './err.ts'
import { broken, brokenAt, holds, noEvidence } from './findings.ts'
import type { PlacedProblem } from './judging.ts'
import { judgeResponse } from './one-response.ts'
import type { Rule } from './rule.ts'

/** Section 7: a path below the base address that leads nowhere. */
export const unknownPathRules: readonly Rule[] = [
  rulesOf('read').should(
    'ERR-7',
    's7-unknown-paths',
    'a path below the base address that leads nowhere returns an Error and the three limit headers',
    (transcript) =>
      judgeResponse(transcript, 'path-unknown', (recorded) => {
        const { id, response } = recorded
        if (response.status < 400) return broken('an Error', `it returned ${response.status}`, id)
        if (unreadProblem(response) !== undefined) return noEvidence('the error cannot be read', id)
        const problem = errorProblem(recorded)
        if (problem !== undefined)
          return brokenAt(problem.at, 'an Error', `its ${response.status} ${problem.text}`, id)
        const missing = limitHeaders.filter((name) => limitHeader(recorded, name) === undefined)
        return missing.length > 0
          ? broken('the three headers', `its ${response.status} has no ${missing.join(', no ')}`, id)
          : holds(`it returned ${response.status}, an Error with the three headers`, id)
      }),
  ),
]

/** Returns what is wrong with an Error. */
function errorProblem(recorded: RecordedResponse): PlacedProblem | undefined {
  const isStatus = (value: unknown): boolean => value === BigInt(recorded.response.status)
  return (
    memberProblem('code', isText)(recorded) ??
    memberProblem('message', isText)(recorded) ??
    memberProblem('status', isStatus)(recorded)
  )
}
