import { isObject, type Json } from '../transcript/json.ts'
import { formatValue } from '../transcript/pets.ts'
import {
  describeInvalidJson,
  hasReadableBody,
  hasUnknownPath,
  isGatewayStatus,
  listResponses,
  parseBody,
  type RecordedResponse,
  readMember,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import {
  broken,
  brokenAt,
  judgeContentTypes,
  judgeEach,
  judgeLimitHeaders,
  judgeResponse,
  noEvidence,
  type PlacedProblem,
} from './judging.ts'
import { type Judge, must, type RuleFamily, should } from './rule.ts'

const errorMembers = {
  code: (value: Json | undefined): boolean => typeof value === 'string',
  message: (value: Json | undefined): boolean => typeof value === 'string',
  status: (value: Json | undefined, status: number): boolean => value === BigInt(status),
} as const

/** Rules about the Error body (section 7). */
export const errRules: RuleFamily = {
  'ERR-1 s7-code': must.read(
    'an error is a JSON object with a string `code`',
    judgeErrorMember('code', 'a JSON object with a string code'),
  ),
  'ERR-2 s7-message': must.read(
    'an error has a string `message`',
    judgeErrorMember('message', 'a JSON object with a string message'),
  ),
  'ERR-3 s7-status': must.read(
    'an error has an integer `status` equal to the response status',
    judgeErrorMember('status', 'a JSON object whose status is the response status'),
  ),
  'ERR-4 s4-json': must.read(
    'an error has the content type `application/json`',
    judgeContentTypes(findErrors, 'no request returned an error'),
  ),
  'ERR-5 s7-not-empty': should.read(
    'the `code` and `message` in an error are not empty',
    judgeEach((transcript) => findErrors(transcript).filter(hasReadableBody).flatMap(readErrorStrings), {
      expected: 'a non-empty code and message',
      findProblem: ({ name, text }) => text === '' && `has an empty ${name}`,
      at: ({ name }) => ({ path: [name] }),
      reasonIfNone: 'no error had a code or a message',
      sources: findErrors,
    }),
  ),
  'ERR-6 s7-no-server-error': should.read(
    'no request that the suite sends returns a 5xx',
    judgeEach(listResponsesExcept429, {
      expected: 'no 5xx',
      findProblem: ({ response: { status } }) => status >= 500 && `returned ${status}`,
      reasonIfNone: 'no request got a response',
    }),
  ),
  'ERR-7 s7-unknown-paths': should.read(
    'an unknown path below the base URL returns an Error and the three rate-limit headers',
    judgeResponse('path-unknown', (judged) => {
      const { status } = judged
      if (status < 400) return broken('an Error', `the request to an unknown path returned ${status}`)
      if (!hasReadableBody(judged)) return noEvidence('the suite could not read the error')
      const [problem] = (['code', 'message', 'status'] as const).flatMap(
        (name) => findMemberProblem(judged, name) ?? [],
      )
      return problem === undefined
        ? judgeLimitHeaders(judged)
        : brokenAt(problem.at, 'an Error', `the ${status} ${problem.text}`)
    }),
  ),
}

function judgeErrorMember(name: keyof typeof errorMembers, expected: string): Judge {
  return judgeEach((transcript) => findErrors(transcript).filter(hasReadableBody), {
    expected,
    findProblem: (recorded) => findMemberProblem(recorded, name),
    reasonIfNone: 'no request returned an error',
    sources: findErrors,
  })
}

/**
 * Lists the error responses that the rules about the Error body judge. Excludes 429s, gateway responses and the
 * response to an unknown path.
 */
export function findErrors(transcript: Transcript): readonly RecordedResponse[] {
  return listResponses(transcript).filter(
    ({ id, response: { status } }) =>
      status >= 400 && status !== 429 && !hasUnknownPath(id) && !isGatewayStatus(status),
  )
}

/** Lists the responses that ERR-6 judges: no 429s, and no gateway responses to parallel requests. */
function listResponsesExcept429(transcript: Transcript): readonly RecordedResponse[] {
  return listResponses(transcript).filter(
    ({ exchange: { group }, response: { status } }) =>
      status !== 429 && !(group !== undefined && isGatewayStatus(status)),
  )
}

function readErrorStrings(recorded: RecordedResponse): readonly { id: string; name: string; text: string }[] {
  return ['code', 'message'].flatMap((name) => {
    const text = readMember(recorded, name)
    return typeof text === 'string' ? [{ id: recorded.id, name, text }] : []
  })
}

function findMemberProblem(
  { response }: RecordedResponse,
  name: keyof typeof errorMembers,
): PlacedProblem | undefined {
  const body = parseBody(response)
  if (body === undefined)
    return { text: `has a body that ${describeInvalidJson(response)}`, at: { path: [] } }
  if (!isObject(body)) return { text: `has ${formatValue(body)}`, at: { path: [] } }
  const value = body.get(name)
  if (errorMembers[name](value, response.status)) return undefined
  const text = value === undefined ? `has no ${name}` : `has the ${name} ${formatValue(value)}`
  return { text, at: { path: [name] } }
}
