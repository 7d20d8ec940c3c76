import { isObject, type Json } from '../transcript/json.ts'
import { show } from '../transcript/pets.ts'
import {
  hasUnknownPath,
  isGateway,
  isRead,
  parseBody,
  type RecordedResponse,
  readMember,
  responses,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import {
  broken,
  brokenAt,
  eachOf,
  judgeLimitHeaders,
  judgeTypes,
  noEvidence,
  onResponse,
  type PlacedProblem,
} from './judging.ts'
import { type Family, type Judge, must, should } from './rule.ts'

/** The members of an Error, and their types. */
const members = {
  code: (value: Json): boolean => typeof value === 'string',
  message: (value: Json): boolean => typeof value === 'string',
  status: (value: Json, status: number): boolean => value === BigInt(status),
} as const

/** Section 7: rules for every error except a 429, whose body is open, a gateway's, and those to an unknown path. */
export const errRules: Family = {
  'ERR-1 s7-code': must.read(
    'an error is a JSON object with a string `code`',
    errorsHave('code', 'a JSON object with a string code'),
  ),
  'ERR-2 s7-message': must.read(
    'an error has a string `message`',
    errorsHave('message', 'a JSON object with a string message'),
  ),
  'ERR-3 s7-status': must.read(
    'an error has an integer `status`, which is the status of the response',
    errorsHave('status', 'a JSON object with the response’s status as its status'),
  ),
  'ERR-4 s4-json': must.read(
    'an error has the content type `application/json`',
    judgeTypes(findErrors, 'no request returned an error'),
  ),
  'ERR-5 s7-not-empty': should.read(
    '`code` and `message` of an error are not empty',
    eachOf((transcript) => findErrors(transcript).filter(isRead).flatMap(readTexts), {
      expected: 'a code and a message that are not empty',
      problem: ({ name, text }) => text === '' && `has an empty ${name}`,
      at: ({ name }) => ({ path: [name] }),
      ifNone: 'no error had a code or a message',
      containedIn: findErrors,
    }),
  ),
  'ERR-6 s7-no-server-error': should.read(
    'no request of the suite returns a 5xx',
    eachOf((transcript) => responses(transcript).filter(({ response: { status } }) => status !== 429), {
      expected: 'no 5xx',
      problem: ({ response: { status } }) => status >= 500 && `returned ${status}`,
      ifNone: 'no response came',
    }),
  ),
  'ERR-7 s7-unknown-paths': should.read(
    'a path below the base URL that does not exist returns an Error and the three rate-limit headers',
    onResponse('path-unknown', (judged) => {
      const { status } = judged
      if (status < 400) return broken('an Error', `the unknown path returned ${status}`)
      if (!isRead(judged)) return noEvidence('the error cannot be read')
      const problem =
        memberProblem(judged, 'code') ?? memberProblem(judged, 'message') ?? memberProblem(judged, 'status')
      if (problem !== undefined) return brokenAt(problem.at, 'an Error', `the ${status} ${problem.text}`)
      return judgeLimitHeaders(judged)
    }),
  ),
}

function errorsHave(name: keyof typeof members, expected: string): Judge {
  return eachOf((transcript) => findErrors(transcript).filter(isRead), {
    expected,
    problem: (recorded) => memberProblem(recorded, name),
    ifNone: 'no request returned an error',
    containedIn: findErrors,
  })
}

/** Returns the errors whose shape the interface states. */
export function findErrors(transcript: Transcript): readonly RecordedResponse[] {
  return responses(transcript).filter(
    ({ id, response: { status } }) =>
      status >= 400 && status !== 429 && !hasUnknownPath(id) && !isGateway(status),
  )
}

/** Returns the code and the message of an error, if they are strings. */
function readTexts(recorded: RecordedResponse): readonly { id: string; name: string; text: string }[] {
  return ['code', 'message'].flatMap((name) => {
    const text = readMember(recorded, name)
    return typeof text === 'string' ? [{ id: recorded.id, name, text }] : []
  })
}

function memberProblem(
  { response }: RecordedResponse,
  name: keyof typeof members,
): PlacedProblem | undefined {
  const body = parseBody(response)
  if (!isObject(body)) return { text: `has ${body === undefined ? 'no JSON' : show(body)}`, at: { path: [] } }
  const value = body.get(name)
  if (value !== undefined && members[name](value, response.status)) return undefined
  const text = value === undefined ? `has no ${name}` : `has the ${name} ${show(value)}`
  return { text, at: { path: [name] } }
}
