import type { StepId } from '../steps/step.ts'
import {
  header,
  isGateway,
  isSuccess,
  jsonOf,
  keyRejection,
  type RecordedResponse,
  responses,
  responsesTo,
} from '../transcript/responses.ts'
import { requestName, type Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence, notApplicable } from './findings.ts'
import { judgeEach, nothingToJudge, worst } from './judging.ts'
import { firstSent, judgeResponse } from './one-response.ts'
import { untilRemoval } from './removal.ts'
import type { Finding, Rule } from './rule.ts'

const read = rulesOf('read')
const create = rulesOf('create')
const exhaust = rulesOf('exhaust')

/** Section 5. */
export const authRules: readonly Rule[] = [
  read.must('AUTH-1', 's5-missing-key', 'listPets without a key returns 401', (transcript) =>
    unauthorized(transcript, 'no-key-list'),
  ),
  read.must('AUTH-2', 's5-missing-key', 'getPet without a key returns 401', (transcript) =>
    untilRemoval(transcript, () =>
      // the bound of requests may leave room for one of the two only
      unauthorized(transcript, firstSent(transcript, 'no-key-get', 'no-key-get-unknown')),
    ),
  ),
  create.must(
    'AUTH-3',
    's5-missing-key',
    'createPet with a valid body and without a key returns 401',
    (transcript) => unauthorized(transcript, 'no-key-create'),
  ),
  read.must('AUTH-4', 's5-invalid-key', 'listPets with an unknown key returns 401', (transcript) =>
    unauthorized(transcript, 'unknown-key-list'),
  ),
  read.must('AUTH-5', 's5-invalid-key', 'getPet with an unknown key returns 401', (transcript) =>
    untilRemoval(transcript, () => unauthorized(transcript, 'unknown-key-get')),
  ),
  create.must(
    'AUTH-6',
    's5-invalid-key',
    'createPet with a valid body and an unknown key returns 401',
    (transcript) => unauthorized(transcript, 'unknown-key-create'),
  ),
  read.must(
    'AUTH-7',
    's5-other-scheme',
    'the key under another scheme than Bearer (as the user of Basic) returns 401',
    (transcript) =>
      judgeResponse(
        transcript,
        'other-scheme',
        (recorded) =>
          isMalformed(recorded) ??
          (accepts(transcript, 'key') || recorded.response.status !== 401
            ? judge401(recorded)
            : noEvidence('the key was accepted in no scheme, so the 401 is no evidence', recorded.id)),
      ),
  ),
  read.must('AUTH-8', 's5-empty-token', 'an empty bearer token returns 401', (transcript) =>
    judgeResponse(transcript, 'empty-token', (recorded) => isMalformed(recorded) ?? judge401(recorded)),
  ),
  read.must('AUTH-9', 's5-bearer', 'a valid key is accepted', judgeAcceptance),
  read.http('AUTH-10', 's5-challenge', 'a 401 carries `WWW-Authenticate: Bearer`', (transcript) =>
    judgeEach(
      transcript,
      responses(transcript).filter(({ response }) => response.status === 401),
      {
        expected: 'a Bearer challenge in WWW-Authenticate',
        problem: ({ response }) =>
          /(?:^|,)\s*bearer(?:\s|,|$)/i.test(header(response, 'www-authenticate') ?? '')
            ? undefined
            : { text: 'is a 401 without one', at: { header: 'www-authenticate' } },
        ifNone: 'no request returned 401',
      },
    ),
  ),
  read.http(
    'AUTH-11',
    's5-scheme-case',
    'the name of the scheme Bearer is accepted in any case',
    (transcript) =>
      judgeResponse(transcript, 'key-other-case', (recorded) => {
        const { id, response } = recorded
        const { status } = response
        if (isPage(recorded)) return holds('bEaReR was accepted', id)
        return accepts(transcript, 'key') && (status === 401 || status === 403)
          ? broken('the response that Bearer has', `bEaReR returned ${status}`, id)
          : noEvidence(`the ${status} may have another cause than the scheme`, id)
      }),
  ),
  exhaust.should(
    'AUTH-12',
    's5-header-only',
    'a key in the query (`access_token`), without the header, is not served',
    (transcript) => judgePlace(transcript, 'key-in-query', 'a key in the query'),
  ),
  exhaust.should(
    'AUTH-15',
    's5-whole-key',
    'only the key itself is accepted: with a character more, with one less and in the other case, it returns 401',
    judgeWholeKey,
  ),
  exhaust.should(
    'AUTH-16',
    's5-header-only',
    'a key in `X-API-Key`, without the header, is not served',
    (transcript) => judgePlace(transcript, 'key-in-header', 'a key in X-API-Key'),
  ),
  read.must(
    'AUTH-13',
    's5-before-the-rest',
    'without a key, `limit=0` and getPet of an unknown id return 401',
    (transcript) => {
      const list = unauthorized(transcript, 'no-key-limit-0')
      const get = untilRemoval(transcript, () => unauthorized(transcript, 'no-key-get-unknown'))
      return get.outcome === 'not-applicable' ? list : worst([list, get])
    },
  ),
  create.must(
    'AUTH-14',
    's5-before-the-rest',
    'createPet with an invalid body returns 401, without a key and with an unknown key',
    (transcript) =>
      worst([
        unauthorized(transcript, 'no-key-create-invalid'),
        unauthorized(transcript, 'unknown-key-create-invalid'),
      ]),
  ),
]

/** Judges a valid key that is not in the `Authorization` header. */
function judgePlace(transcript: Transcript, exchange: StepId, what: string): Finding {
  return judgeResponse(transcript, exchange, ({ id, response: { status } }) => {
    if (isSuccess(status)) return broken('status 401', `${what} returned ${status}`, id)
    return status === 401 && accepts(transcript, 'throttle-key')
      ? holds(`${what} returned 401`, id)
      : noEvidence(`the ${status} may have another cause than the key`, id)
  })
}

/** A key without letters has no other case, which is not sent then. */
function judgeWholeKey(transcript: Transcript): Finding {
  const ids = ['longer-key', 'shorter-key', 'swapped-case-key'] as const
  const sent = ids.filter((id) => transcript.exchanges.some((exchange) => exchange.id === id))
  const findings = (sent.length > 0 ? sent : ids.slice(0, 1)).map((exchange) =>
    judgeResponse(
      transcript,
      exchange,
      (recorded) =>
        isMalformed(recorded) ??
        (accepts(transcript, 'throttle-key') || recorded.response.status !== 401
          ? judge401(recorded)
          : noEvidence('the throttle key was not accepted either, so the 401 is no evidence', recorded.id)),
    ),
  )
  const judged = findings.filter(({ outcome }) => outcome !== 'not-applicable')
  return worst(judged.length > 0 ? judged : findings)
}

/** Judges a request without a valid key. */
function unauthorized(transcript: Transcript, id: StepId): Finding {
  return judgeResponse(transcript, id, judge401)
}

function judge401({ id, exchange, response: { status } }: RecordedResponse): Finding {
  return status === 401
    ? holds(`${requestName(exchange)} returned 401`, id)
    : broken('status 401', `${requestName(exchange)} returned ${status}`, id)
}

/** A 400 is the response to a malformed request (RFC 6750, section 3.1). */
function isMalformed({ id, response }: RecordedResponse): Finding | undefined {
  return response.status === 400
    ? notApplicable('the 400 says that the request is malformed, as RFC 6750 allows', id)
    : undefined
}

/** Whether a credential received a page. A 200 without a page is no evidence that the key was accepted. */
function accepts(transcript: Transcript, credential: 'key' | 'throttle-key'): boolean {
  const isRejected = credential === 'key' && keyRejection(transcript.exchanges) !== undefined
  return !isRejected && responsesTo(transcript, credential).some(isPage)
}

function isPage({ response }: RecordedResponse): boolean {
  return isSuccess(response.status) && Array.isArray(jsonOf(response))
}

function judgeAcceptance(transcript: Transcript): Finding {
  const all = responsesTo(transcript, 'key').filter(
    ({ response: { status } }) => !isGateway(status) && status !== 429,
  )
  const [first] = all
  if (first === undefined || keyRejection(transcript.exchanges))
    return nothingToJudge(transcript, 'no response to the key came')
  const accepted = all.find(isPage)
  if (accepted === undefined) {
    return noEvidence(
      `no response to the key is a page: the first one is a ${first.response.status}`,
      first.id,
    )
  }
  const rejected = all.find(({ response }) => response.status === 401)
  return rejected === undefined
    ? holds('every response to the key accepts it', accepted.id)
    : broken(
        'the key to be accepted, as before',
        `${requestName(rejected.exchange)} returned 401`,
        rejected.id,
        accepted.id,
      )
}
