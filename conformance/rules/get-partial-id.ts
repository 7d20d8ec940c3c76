import { isSuccess } from '../transcript/responses.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import { judgeResponse } from './one-response.ts'
import { untilRemoval } from './removal.ts'
import type { Rule } from './rule.ts'

/** Section 4.3: the whole `petId` counts. */
export const partialIdRules: readonly Rule[] = [
  rulesOf('read').should(
    'GET-11',
    's4-3-whole-id',
    'a `petId` that only begins with a listed id is not served',
    (transcript) =>
      untilRemoval(transcript, () =>
        judgeResponse(transcript, 'get-partial-id', ({ id, response: { status } }) => {
          if (isSuccess(status)) return broken('a rejection', `it returned ${status}`, id)
          const whole = transcript.exchanges.find((exchange) => exchange.id === 'get-listed')
          return whole?.outcome.kind === 'response' && isSuccess(whole.outcome.response.status)
            ? holds(`it returned ${status}, and the whole id was served`, id, whole.id)
            : noEvidence('the whole id was not served either', id)
        }),
      ),
  ),
]
