import {
  type Answer,
  answers,
  answersTo,
  header,
  isGateway,
  isSuccess,
  jsonOf,
  onAnswer,
  rejection,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import { judgeEach, nothing } from './judging.ts'
import { untilRemoval } from './removal.ts'
import type { Finding, Rule } from './rule.ts'

const read = rulesOf('read')
const create = rulesOf('create')
const exhaust = rulesOf('exhaust')

/** Section 5. */
export const authRules: readonly Rule[] = [
  read.must('AUTH-1', '5', 'listPets without a key: 401', (transcript) =>
    unauthorized(transcript, 'no-key-list'),
  ),
  read.must('AUTH-2', '5', 'getPet without a key: 401', (transcript) =>
    untilRemoval(transcript, () => unauthorized(transcript, 'no-key-get')),
  ),
  create.must('AUTH-3', '5', 'createPet without a key, valid body: 401', (transcript) =>
    unauthorized(transcript, 'no-key-create'),
  ),
  read.must('AUTH-4', '5', 'listPets with an unknown key: 401', (transcript) =>
    unauthorized(transcript, 'unknown-key-list'),
  ),
  read.must('AUTH-5', '5', 'getPet with an unknown key: 401', (transcript) =>
    untilRemoval(transcript, () => unauthorized(transcript, 'unknown-key-get')),
  ),
  create.must('AUTH-6', '5', 'createPet with an unknown key, valid body: 401', (transcript) =>
    unauthorized(transcript, 'unknown-key-create'),
  ),
  read.must('AUTH-7', '5', 'the key under another scheme than Bearer is not served: 401', (transcript) =>
    onAnswer(
      transcript,
      'other-scheme',
      (answer) =>
        isMalformed(answer) ??
        (accepts(transcript, 'key') || answer.response.status !== 401
          ? judge401(answer)
          : noEvidence('the key was accepted under no scheme, so the 401 proves nothing', answer.id)),
    ),
  ),
  read.must('AUTH-8', '5', 'an empty bearer token is not served: 401', (transcript) =>
    onAnswer(transcript, 'empty-token', (answer) => isMalformed(answer) ?? judge401(answer)),
  ),
  read.must('AUTH-9', '5', 'a valid key is accepted', judgeAcceptance),
  read.http('AUTH-10', '5', 'a 401 carries `WWW-Authenticate: Bearer`', (transcript) =>
    judgeEach(
      transcript,
      answers(transcript).filter(({ response }) => response.status === 401),
      {
        expected: 'a Bearer challenge in WWW-Authenticate',
        fault: ({ response }) =>
          /(?:^|,)\s*bearer(?:\s|,|$)/i.test(header(response, 'www-authenticate') ?? '')
            ? undefined
            : 'is a 401 without one',
        ifNone: 'no request was answered with 401',
      },
    ),
  ),
  read.http('AUTH-11', '5', 'the scheme’s name is accepted in any case', (transcript) =>
    onAnswer(transcript, 'key-other-case', (answer) => {
      const { id, response } = answer
      const { status } = response
      if (isPage(answer)) return holds('bEaReR was accepted', id)
      return accepts(transcript, 'key') && (status === 401 || status === 403)
        ? broken('the same answer as to Bearer', `bEaReR was answered with ${status}`, id)
        : noEvidence(`whether the scheme is to blame for the ${status} is not to be seen`, id)
    }),
  ),
  exhaust.must(
    'AUTH-12',
    '5',
    'a key in the query (`access_token`), without the header, is not served',
    (transcript) =>
      onAnswer(transcript, 'key-in-query', ({ id, response: { status } }) => {
        if (isSuccess(status))
          return broken('a refusal', `a key in the query was answered with ${status}`, id)
        return status === 401 && accepts(transcript, 'throttle-key')
          ? holds('a key in the query was answered with 401', id)
          : noEvidence(`whether the key is to blame for the ${status} is not to be seen`, id)
      }),
  ),
]

/** Judges a request that no valid key accompanies. */
function unauthorized(transcript: Transcript, id: string): Finding {
  return onAnswer(transcript, id, judge401)
}

function judge401({ id, response: { status } }: Answer): Finding {
  return status === 401
    ? holds(`${id} was answered with 401`, id)
    : broken('status 401', `${id} was answered with ${status}`, id)
}

/** A 400 is RFC 6750's answer to a malformed request, and as good as a 401. */
function isMalformed({ id, response }: Answer): Finding | undefined {
  return response.status === 400 ? noEvidence('a 400 may mean that the request is malformed', id) : undefined
}

/** Whether a credential was served a page; a 200 without one may be the answer to anything. */
function accepts(transcript: Transcript, credential: 'key' | 'throttle-key'): boolean {
  const isRejected = credential === 'key' && rejection(transcript.exchanges) !== undefined
  return !isRejected && answersTo(transcript, credential).some(isPage)
}

function isPage({ response }: Answer): boolean {
  return isSuccess(response.status) && Array.isArray(jsonOf(response))
}

function judgeAcceptance(transcript: Transcript): Finding {
  const all = answersTo(transcript, 'key').filter(
    ({ response: { status } }) => !isGateway(status) && status !== 429,
  )
  const [first] = all
  if (first === undefined || rejection(transcript.exchanges))
    return nothing(transcript, 'the key was not answered')
  const accepted = all.find(isPage)
  if (accepted === undefined) {
    return noEvidence(`no page was served to it: the first answer is a ${first.response.status}`, first.id)
  }
  const refused = all.find(({ response }) => response.status === 401)
  return refused === undefined
    ? holds('every answer to the key shows it accepted', accepted.id)
    : broken('the key accepted as before', `${refused.id} was answered with 401`, refused.id, accepted.id)
}
