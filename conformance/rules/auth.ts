import {
  findKeyRejection,
  getHeader,
  isGatewayStatus,
  isSuccess,
  listResponses,
  listResponsesFor,
  parseBody,
  type RecordedResponse,
} from '../transcript/responses.ts'
import { type Exchange, formatRequestName, type Transcript } from '../transcript/transcript.ts'
import {
  broken,
  explainMissingEvidence,
  explainMissingExchange,
  holds,
  type JudgedResponse,
  judgeAll,
  judgeEach,
  judgeResponse,
  noEvidence,
  notApplicable,
} from './judging.ts'
import { judgeUntilRemoval } from './removal.ts'
import { type Finding, http, type Judge, must, type RuleDefinition, type RuleFamily, should } from './rule.ts'

/** Rules about authentication (section 5). */
export const authRules: RuleFamily = {
  'AUTH-1 s5-missing-key': define401Rule(must.read, 'listPets without a key', 'no-key-list'),
  'AUTH-2 s5-missing-key': define401Rule(must.read, 'getPet without a key', 'no-key-get'),
  'AUTH-3 s5-missing-key': define401Rule(
    must.create,
    'createPet with a valid body and without a key',
    'no-key-create',
  ),
  'AUTH-4 s5-invalid-key': define401Rule(
    must.read,
    'listPets with an unknown key that looks like the real one',
    'unknown-key-list',
  ),
  'AUTH-5 s5-invalid-key': define401Rule(must.read, 'getPet with an unknown key', 'unknown-key-get'),
  'AUTH-6 s5-invalid-key': define401Rule(
    must.create,
    'createPet with a valid body and an unknown key',
    'unknown-key-create',
  ),
  'AUTH-7 s5-other-scheme': must.read(
    'the key returns 401 with any scheme other than Bearer: as the user name in `Basic`, with `Token`, and without a scheme',
    judgeAll(...['other-scheme', 'token-scheme', 'no-scheme'].map((id) => judgeChangedKey(id, 'key'))),
  ),
  'AUTH-8 s5-empty-token': must.read(
    'an empty bearer token returns 401',
    judgeResponse('empty-token', judgeMalformedCredentials),
  ),
  'AUTH-9 s5-bearer': must.read('a valid key is accepted', judgeKeyAcceptance),
  'AUTH-10 s5-challenge': http.read(
    'a 401 has `WWW-Authenticate: Bearer`',
    judgeEach((transcript) => listResponses(transcript).filter(({ response }) => response.status === 401), {
      expected: 'a Bearer challenge in WWW-Authenticate',
      findProblem: ({ response }) =>
        !/(?:^|,)\s*bearer(?:\s|,|$)/i.test(getHeader(response, 'www-authenticate') ?? '') &&
        'is a 401 without a Bearer challenge',
      at: () => ({ header: 'www-authenticate' }),
      reasonIfNone: 'no request returned 401',
    }),
  ),
  'AUTH-11 s5-scheme-case': http.read(
    'the scheme name `Bearer` is accepted in any case',
    judgeResponse('key-other-case', (judged, transcript) => {
      const { status } = judged
      if (isPage(judged)) return holds('bEaReR was accepted')
      return isAccepted(transcript, 'key') && (status === 401 || status === 403)
        ? broken('the same status as with the scheme Bearer', `bEaReR returned ${status}`)
        : noEvidence(`the ${status} may not be caused by the scheme`)
    }),
  ),
  'AUTH-12 s5-header-only': should.exhaust(
    'a key in the query (`access_token`), without the header, is not served',
    judgeNotServed('key-in-query', 'an API key in the query'),
  ),
  'AUTH-13 s5-before-the-rest': must.read(
    'without a key, `limit=0` and getPet with an unknown id return 401',
    judgeAll(expect401('no-key-limit-0'), expect401('no-key-get')),
  ),
  'AUTH-14 s5-before-the-rest': should.create(
    'createPet with an invalid body returns 401, without a key and with an unknown key',
    judgeAll(expect401('no-key-create-invalid'), expect401('unknown-key-create-invalid')),
  ),
  'AUTH-15 s5-whole-key': should.exhaust(
    'only the exact key is accepted: one character more, one less, or the other letter case returns 401',
    judgeAll(
      judgeChangedKey('longer-key', 'throttle-key'),
      judgeChangedKey('shorter-key', 'throttle-key'),
      (transcript) =>
        transcript.exchanges.some(({ id }) => id === 'swapped-case-key')
          ? judgeChangedKey('swapped-case-key', 'throttle-key')(transcript)
          : notApplicable('the key contains no letters whose case could change'),
    ),
  ),
  'AUTH-16 s5-header-only': should.exhaust(
    'a key in `X-API-Key`, without the header, is not served',
    judgeNotServed('key-in-header', 'a key in X-API-Key'),
  ),
  'AUTH-17 s5-connection': http.create(
    'a createPet without a valid key leaves its connection usable: the server reads the body or closes the connection',
    judgeConnection,
  ),
}

function define401Rule(state: typeof must.read, what: string, id: string): RuleDefinition {
  return state(`${what} returns 401`, expect401(id))
}

function expect401(id: string): Judge {
  const judgeStatus = judgeResponse(id, judge401)
  return id.includes('-get') ? judgeUntilRemoval(judgeStatus) : judgeStatus
}

/** A 401 is evidence only if the server accepts the key itself, with the scheme `Bearer`. */
function judgeChangedKey(id: string, key: 'key' | 'throttle-key'): Judge {
  return judgeResponse(id, (judged, transcript) =>
    judged.status === 401 && !isAccepted(transcript, key)
      ? noEvidence('the key itself was not accepted, so the 401 proves nothing')
      : judgeMalformedCredentials(judged),
  )
}

function judge401({ exchange, status }: JudgedResponse): Finding {
  const description = `${formatRequestName(exchange)} returned ${status}`
  return status === 401 ? holds(description) : broken('status 401', description)
}

/** Requires a 401. RFC 6750, section 3.1, also allows a 400 to a malformed request. */
function judgeMalformedCredentials(judged: JudgedResponse): Finding {
  return judged.status === 400
    ? notApplicable('RFC 6750 allows a 400 to a malformed request')
    : judge401(judged)
}

function judgeNotServed(exchange: string, what: string): Judge {
  return judgeResponse(exchange, ({ status }, transcript) => {
    if (isSuccess(status)) return broken('status 401', `${what} returned ${status}`)
    return status === 401 && isAccepted(transcript, 'throttle-key')
      ? holds(`${what} returned 401`)
      : noEvidence(`the ${status} may not be caused by the key`)
  })
}

/** Checks that an unread request body does not damage the next request on its connection (RFC 9112, section 9.3). */
function judgeConnection(transcript: Transcript): Finding {
  const find = (id: string): Exchange | undefined =>
    transcript.exchanges.find((exchange) => exchange.id === id)
  const [post, next, other] = [find('no-key-create'), find('list-same-connection'), find('list-1')]
  if (next === undefined || post === undefined)
    return explainMissingExchange(transcript, 'list-same-connection')
  const judgeNext = (): Finding => {
    if (post.response?.status !== 401)
      return noEvidence('the createPet without a key was not rejected with 401')
    if (next.sameConnection === undefined)
      return noEvidence('the runtime does not report which requests share a connection')
    if (!next.sameConnection) return holds('the server closed the connection after the createPet request')
    const [status, expected] = [next.response?.status, other?.response?.status]
    if (expected === undefined || status === undefined || status === 429 || status >= 500)
      return noEvidence('the next request on this connection, or the same one on a new one, got no response')
    if (status === expected)
      return holds('the next request on this connection returned the same status as on a new connection')
    const actualResponse = `${formatRequestName(next)} returned ${status} on the connection of ${post.id}, whose body was not read`
    return broken(`status ${expected}, or a closed connection`, actualResponse)
  }
  return { ...judgeNext(), exchanges: [next.id, post.id] }
}

/**
 * Checks that the server returned a page to this credential. A 200 without a page does not prove that the key was
 * accepted.
 */
function isAccepted(transcript: Transcript, credential: 'key' | 'throttle-key'): boolean {
  const isRejected = credential === 'key' && findKeyRejection(transcript.exchanges) !== undefined
  return !isRejected && listResponsesFor(transcript, credential).some(isPage)
}

function isPage({ response }: RecordedResponse): boolean {
  return isSuccess(response.status) && Array.isArray(parseBody(response))
}

function judgeKeyAcceptance(transcript: Transcript): Finding {
  const keyedResponses = listResponsesFor(transcript, 'key').filter(
    ({ response: { status } }) => !isGatewayStatus(status) && status !== 429,
  )
  const [first] = keyedResponses
  if (first === undefined || findKeyRejection(transcript.exchanges))
    return explainMissingEvidence(transcript, 'no request with the key got a response')
  const acceptedResponse = keyedResponses.find(isPage)
  if (acceptedResponse === undefined) {
    const { status } = first.response
    return noEvidence(`no listPets request returned a page: the first response is a ${status}`, first.id)
  }
  const rejected = keyedResponses.find(({ response }) => response.status === 401)
  if (rejected === undefined) return holds('no response rejects the key', acceptedResponse.id)
  const actualResponse = `${formatRequestName(rejected.exchange)} returned 401`
  return broken('an accepted key, as before', actualResponse, rejected.id, acceptedResponse.id)
}
