import { isPost } from '../transcript/creations.ts'
import {
  findKeyRejection,
  header,
  isGateway,
  isSuccess,
  listResponsesTo,
  parseBody,
  type RecordedResponse,
  responses,
} from '../transcript/responses.ts'
import { formatRequestName, isServerError, type Transcript } from '../transcript/transcript.ts'
import {
  broken,
  eachOf,
  holds,
  type JudgedResponse,
  noEvidence,
  notApplicable,
  nothingToJudge,
  onResponse,
  worstOf,
} from './judging.ts'
import { untilRemoval } from './removal.ts'
import { type Family, type Finding, http, type Judge, must, type StatedRule, should } from './rule.ts'

/** Section 5. */
export const authRules: Family = {
  'AUTH-1 s5-missing-key': returns401(must.read, 'listPets without a key', 'no-key-list'),
  'AUTH-2 s5-missing-key': returns401(must.read, 'getPet without a key', 'no-key-get'),
  'AUTH-3 s5-missing-key': returns401(
    must.create,
    'createPet with a valid body and without a key',
    'no-key-create',
  ),
  'AUTH-4 s5-invalid-key': returns401(
    must.read,
    'listPets with an unknown key in the form of the real one',
    'unknown-key-list',
  ),
  'AUTH-5 s5-invalid-key': returns401(must.read, 'getPet with an unknown key', 'unknown-key-get'),
  'AUTH-6 s5-invalid-key': returns401(
    must.create,
    'createPet with a valid body and an unknown key',
    'unknown-key-create',
  ),
  'AUTH-7 s5-other-scheme': must.read(
    'the key returns 401 under another scheme than Bearer: as the user of Basic, under `Token`, and without a scheme',
    worstOf(...['other-scheme', 'token-scheme', 'no-scheme'].map(otherScheme)),
  ),
  'AUTH-8 s5-empty-token': must.read(
    'an empty bearer token returns 401',
    onResponse('empty-token', judgeMalformed),
  ),
  'AUTH-9 s5-bearer': must.read('a valid key is accepted', judgeAcceptance),
  'AUTH-10 s5-challenge': http.read(
    'a 401 carries `WWW-Authenticate: Bearer`',
    eachOf((transcript) => responses(transcript).filter(({ response }) => response.status === 401), {
      expected: 'a Bearer challenge in WWW-Authenticate',
      problem: ({ response }) =>
        !/(?:^|,)\s*bearer(?:\s|,|$)/i.test(header(response, 'www-authenticate') ?? '') &&
        'is a 401 without one',
      at: () => ({ header: 'www-authenticate' }),
      ifNone: 'no request returned 401',
    }),
  ),
  'AUTH-11 s5-scheme-case': http.read(
    'the name of the scheme Bearer is accepted in any case',
    onResponse('key-other-case', (judged, transcript) => {
      const { status } = judged
      if (isPage(judged)) return holds('bEaReR was accepted')
      return accepts(transcript, 'key') && (status === 401 || status === 403)
        ? broken('the response that Bearer has', `bEaReR returned ${status}`)
        : noEvidence(`the ${status} may have another cause than the scheme`)
    }),
  ),
  'AUTH-12 s5-header-only': should.exhaust(
    'a key in the query (`access_token`), without the header, is not served',
    notServed('key-in-query', 'a key in the query'),
  ),
  'AUTH-13 s5-before-the-rest': must.read(
    'without a key, `limit=0` and getPet of an unknown id return 401',
    worstOf(unauthorized('no-key-limit-0'), unauthorized('no-key-get')),
  ),
  'AUTH-14 s5-before-the-rest': should.create(
    'createPet with an invalid body returns 401, without a key and with an unknown key',
    worstOf(unauthorized('no-key-create-invalid'), unauthorized('unknown-key-create-invalid')),
  ),
  'AUTH-15 s5-whole-key': should.exhaust(
    'only the key itself is accepted: with a character more, with one less and in the other case, it returns 401',
    worstOf(nearKey('longer-key'), nearKey('shorter-key'), (transcript) =>
      transcript.exchanges.some(({ id }) => id === 'swapped-case-key')
        ? nearKey('swapped-case-key')(transcript)
        : notApplicable('a key without letters has no other case'),
    ),
  ),
  'AUTH-16 s5-header-only': should.exhaust(
    'a key in `X-API-Key`, without the header, is not served',
    notServed('key-in-header', 'a key in X-API-Key'),
  ),
  'AUTH-17 s5-connection': http.create(
    'a createPet without a valid key leaves its connection usable: the body is read, or the connection closed',
    judgeConnection,
  ),
}

function returns401(state: typeof must.read, what: string, id: string): StatedRule {
  return state(`${what} returns 401`, unauthorized(id))
}

/** Judges a request without a valid key. */
function unauthorized(id: string): Judge {
  const judge = onResponse(id, judge401)
  return id.includes('-get') ? untilRemoval(judge) : judge
}

/** Judges the key under another scheme. */
function otherScheme(id: string): Judge {
  return onResponse(id, (judged, transcript) =>
    judged.status === 401 && !accepts(transcript, 'key')
      ? noEvidence('the key was accepted in no scheme, so the 401 is no evidence')
      : judgeMalformed(judged),
  )
}

function judge401({ exchange, status }: JudgedResponse): Finding {
  const returned = `${formatRequestName(exchange)} returned ${status}`
  return status === 401 ? holds(returned) : broken('status 401', returned)
}

/** A 400 is the response to a malformed request (RFC 6750, section 3.1). */
function judgeMalformed(judged: JudgedResponse): Finding {
  return judged.status === 400
    ? notApplicable('the 400 says that the request is malformed, as RFC 6750 allows')
    : judge401(judged)
}

/** Judges a valid key that is not in the `Authorization` header. */
function notServed(exchange: string, what: string): Judge {
  return onResponse(exchange, ({ status }, transcript) => {
    if (isSuccess(status)) return broken('status 401', `${what} returned ${status}`)
    return status === 401 && accepts(transcript, 'throttle-key')
      ? holds(`${what} returned 401`)
      : noEvidence(`the ${status} may have another cause than the key`)
  })
}

/** Judges tokens that resemble the throttle key. */
function nearKey(id: string): Judge {
  return onResponse(id, (judged, transcript) =>
    judged.status === 401 && !accepts(transcript, 'throttle-key')
      ? noEvidence('the throttle key was not accepted either, so the 401 is no evidence')
      : judgeMalformed(judged),
  )
}

/**
 * A GET behind a POST without a valid key goes on the same connection, unless that was closed (RFC 9112, section 9.3).
 * If the server has not read the body, it takes the body for the beginning of the GET. A 5xx may have another cause.
 */
function judgeConnection(transcript: Transcript): Finding {
  const { exchanges } = transcript
  const pairs = exchanges.slice(1).flatMap((next, n) => {
    const post = exchanges[n]
    if (post === undefined || !isPost(post) || post.credential === 'key') return []
    const isRejected = post.outcome.kind === 'response' && post.outcome.response.status === 401
    return isRejected && next.request.method === 'GET' ? [{ post, next }] : []
  })
  if (pairs.length === 0) return nothingToJudge(transcript, 'no GET follows a createPet without a valid key')
  const left = pairs.find(({ next }) => next.leftover !== undefined && !isServerError(next.leftover))
  if (left !== undefined) {
    const { post, next } = left
    const got = `${formatRequestName(next)} returned ${next.leftover} on the connection of ${post.id}, whose body was left there`
    return broken('the body read, or the connection closed', got, next.id, post.id)
  }
  const ids = pairs.flatMap(({ post, next }) => [next.id, post.id])
  if (pairs.every(({ next }) => next.continues === undefined))
    return noEvidence('which requests share a connection is not known here', ...ids)
  return pairs.some(({ next }) => next.continues !== undefined && next.leftover === undefined)
    ? holds('the next request returns the same as on a new connection', ...ids)
    : noEvidence('the 5xx on these connections may have another cause', ...ids)
}

/** Returns whether a credential received a page. A 200 without a page does not prove that the key was accepted. */
function accepts(transcript: Transcript, credential: 'key' | 'throttle-key'): boolean {
  const isRejected = credential === 'key' && findKeyRejection(transcript.exchanges) !== undefined
  return !isRejected && listResponsesTo(transcript, credential).some(isPage)
}

function isPage({ response }: RecordedResponse): boolean {
  return isSuccess(response.status) && Array.isArray(parseBody(response))
}

function judgeAcceptance(transcript: Transcript): Finding {
  const all = listResponsesTo(transcript, 'key').filter(
    ({ response: { status } }) => !isGateway(status) && status !== 429,
  )
  const [first] = all
  if (first === undefined || findKeyRejection(transcript.exchanges))
    return nothingToJudge(transcript, 'no response to the key came')
  const accepted = all.find(isPage)
  if (accepted === undefined)
    return noEvidence(
      `no response to the key is a page: the first one is a ${first.response.status}`,
      first.id,
    )
  const rejected = all.find(({ response }) => response.status === 401)
  if (rejected === undefined) return holds('every response to the key accepts it', accepted.id)
  const got = `${formatRequestName(rejected.exchange)} returned 401`
  return broken('the key to be accepted, as before', got, rejected.id, accepted.id)
}
