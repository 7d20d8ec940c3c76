import { findErrors } from '../rules/err.ts'
import { shorten } from '../transcript/bounds.ts'
import { isObject, type Json, writeJson } from '../transcript/json.ts'
import {
  findTypeProblem,
  isHtml,
  isRead,
  isSuccess,
  parseBody,
  type RecordedResponse,
  responses,
} from '../transcript/responses.ts'
import { brokenIn, type FaultKind, fault, formatCount, repairable, withHeader } from './cause.ts'

/** Bodies of another form than the interface requires. A repair leaves the faults behind it to be found. */
export const bodyFaults: readonly FaultKind[] = [
  repairable({
    id: 'wrapped',
    repair: (recorded) => {
      const [, value] = wrapped(recorded) ?? []
      return value === undefined ? undefined : { body: writeJson(value) }
    },
    title: (first, faulty, run) =>
      `The animals are wrapped in ${JSON.stringify(wrapped(first)?.[0])} in ${formatCount(faulty, responses(run))}`,
    advice: 'return a bare array for a list, and a bare Pet for an animal',
  }),
  fault({
    // errors that all have the same other shape
    id: 'error-shape',
    least: 2,
    shownBy(transcript) {
      const errors = findErrors(transcript).filter(isRead)
      const shapes = new Set(errors.flatMap((recorded) => describeShape(recorded) ?? []))
      return [...shapes]
        .map((shape) => errors.filter((recorded) => describeShape(recorded) === shape))
        .reduce((most, some) => (some.length > most.length ? some : most), [])
    },
    title: (first, wrong, run) =>
      `The body of an error is ${describeShape(first)} in ${formatCount(wrong, findErrors(run))}`,
    advice:
      'return {"code": string, "message": string, "status": the status} with every error; often the framework, and not the service, writes these',
    explains: (wrong) => {
      const hasJson = wrong.some(({ response }) => parseBody(response) !== undefined)
      return brokenIn('ERR-1', 'ERR-2', 'ERR-3', ...(hasJson ? [] : ['ERR-4']))
    },
  }),
  repairable({
    // JSON with another content type; one rule alone states it as well
    id: 'content-type',
    least: 2,
    repair: (recorded) =>
      parseBody(recorded.response) !== undefined && findTypeProblem(recorded) !== undefined
        ? { headers: withHeader(recorded.response, 'content-type', 'application/json') }
        : undefined,
    title: (first, faulty, run) => `JSON ${findTypeProblem(first)} in ${formatCount(faulty, responses(run))}`,
    advice: 'send Content-Type: application/json with every JSON body',
  }),
]

/** Returns the only array, or the only object with an id, among the members of an object. */
function wrapped({ exchange: { request }, response }: RecordedResponse): readonly [string, Json] | undefined {
  const body = isSuccess(response.status) ? parseBody(response) : undefined
  if (!isObject(body) || body.has('id')) return undefined
  const isList = request.method === 'GET' && !request.target.startsWith('/pets/')
  const [only, ...others] = [...body].filter(([, value]) =>
    isList ? Array.isArray(value) : isObject(value) && value.has('id'),
  )
  return others.length > 0 ? undefined : only
}

/** Maximum number of members that a title names. */
const mostNamed = 8

/** Describes the body of an error that lacks the members of an Error (section 7); `undefined` if it has them all. */
function describeShape({ response }: RecordedResponse): string | undefined {
  const body = parseBody(response)
  if (isObject(body)) {
    if (['code', 'message', 'status'].every((name) => body.has(name))) return undefined
    const names = [...body].slice(0, mostNamed).map(([name]) => name)
    return `an object with ${shorten(names.join(', '), 100) || 'no members'} instead of code, message and status`
  }
  if (response.body === '') return 'empty'
  if (isHtml(response)) return 'an HTML page'
  return body === undefined ? 'not JSON' : 'not an object'
}
