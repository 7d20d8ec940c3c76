import { isObject, type Json } from '../transcript/json.ts'
import { show } from '../transcript/pets.ts'
import { limitHeader, limitHeaders } from '../transcript/rate-limits.ts'
import {
  isGateway,
  isOutside,
  isRead,
  jsonOf,
  type RecordedResponse,
  responses,
  unreadProblem,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, brokenAt, holds, noEvidence } from './findings.ts'
import { judgeEach, judgeTypes, type PlacedProblem } from './judging.ts'
import { judgeResponse } from './one-response.ts'
import type { Finding, Rule } from './rule.ts'

const read = rulesOf('read')

/** Section 7: rules for every error of the run, except for a 429, whose body is open, those of gateways, and those outside the interface. */
export const errRules: readonly Rule[] = [
  read.must('ERR-1', 's7-code', 'an error is a JSON object with a string `code`', (transcript) =>
    judgeErrors(transcript, 'a JSON object with a string code', memberProblem('code', isText)),
  ),
  read.must('ERR-2', 's7-message', 'an error has a string `message`', (transcript) =>
    judgeErrors(transcript, 'a JSON object with a string message', memberProblem('message', isText)),
  ),
  read.must(
    'ERR-3',
    's7-status',
    'an error has an integer `status`, which is the status of the response',
    (transcript) =>
      judgeErrors(transcript, 'a JSON object with the response’s status as its status', (recorded) =>
        memberProblem('status', (value) => value === BigInt(recorded.response.status))(recorded),
      ),
  ),
  read.must('ERR-4', 's4-json', 'an error has the content type `application/json`', (transcript) =>
    judgeTypes(transcript, errorsOf(transcript), 'no request returned an error'),
  ),
  read.should('ERR-5', 's7-not-empty', '`code` and `message` of an error are not empty', (transcript) =>
    judgeEach(transcript, errorsOf(transcript).filter(isRead).flatMap(textsOf), {
      expected: 'a code and a message that are not empty',
      problem: ({ name, text }) =>
        text === '' ? { text: `has an empty ${name}`, at: { path: [name] } } : undefined,
      ifNone: 'no error had a code or a message',
      unread: unreadErrors(transcript),
    }),
  ),
  read.should('ERR-6', 's7-no-server-error', 'no request of the suite returns a 5xx', (transcript) =>
    judgeEach(
      transcript,
      responses(transcript).filter(({ response: { status } }) => status !== 429),
      {
        expected: 'no 5xx',
        problem: ({ response: { status } }) => (status >= 500 ? `returned ${status}` : undefined),
        ifNone: 'no response came',
      },
    ),
  ),
  read.should(
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

function judgeErrors(
  transcript: Transcript,
  expected: string,
  problem: (recorded: RecordedResponse) => PlacedProblem | undefined,
): Finding {
  return judgeEach(transcript, errorsOf(transcript).filter(isRead), {
    expected,
    problem,
    ifNone: 'no request returned an error',
    unread: unreadErrors(transcript),
  })
}

function errorsOf(transcript: Transcript): readonly RecordedResponse[] {
  return responses(transcript).filter(
    ({ id, exchange: { request }, response: { status } }) =>
      status >= 400 &&
      status !== 429 &&
      !isOutside(id) &&
      !isGateway(status) &&
      // a response to HEAD has no body
      request.method !== 'HEAD',
  )
}

function unreadErrors(transcript: Transcript): readonly RecordedResponse[] {
  return errorsOf(transcript).filter((recorded) => !isRead(recorded))
}

/** Returns the code and the message of an error, if they are strings. */
function textsOf({ id, response }: RecordedResponse): readonly { id: string; name: string; text: string }[] {
  const body = jsonOf(response)
  return ['code', 'message'].flatMap((name) => {
    const text = isObject(body) ? body.get(name) : undefined
    return typeof text === 'string' ? [{ id, name, text }] : []
  })
}

function memberProblem(
  name: string,
  isRight: (value: Json) => boolean,
): (recorded: RecordedResponse) => PlacedProblem | undefined {
  return ({ response }) => {
    const body = jsonOf(response)
    if (!isObject(body))
      return { text: `has ${body === undefined ? 'no JSON' : show(body)}`, at: { path: [] } }
    const value = body.get(name)
    if (value !== undefined && isRight(value)) return undefined
    const text = value === undefined ? `has no ${name}` : `has the ${name} ${show(value)}`
    return { text, at: { path: [name] } }
  }
}

function isText(value: Json): boolean {
  return typeof value === 'string'
}

/** Returns what is wrong with an Error. */
function errorProblem(recorded: RecordedResponse): PlacedProblem | undefined {
  const isStatus = (value: unknown): boolean => value === BigInt(recorded.response.status)
  return (
    memberProblem('code', isText)(recorded) ??
    memberProblem('message', isText)(recorded) ??
    memberProblem('status', isStatus)(recorded)
  )
}
