import { findErrors } from '../rules/err.ts'
import { shorten } from '../transcript/bounds.ts'
import { isObject, type Json } from '../transcript/json.ts'
import { locate } from '../transcript/json-reader.ts'
import {
  findContentTypeProblem,
  hasReadableBody,
  isHtml,
  isSuccess,
  listResponses,
  parseBody,
  type RecordedResponse,
} from '../transcript/responses.ts'
import {
  createFaultKind,
  createRepairableKind,
  explainsBroken,
  type FaultKind,
  formatCount,
  replaceHeader,
} from './cause.ts'

/** Faults in response bodies. */
export const bodyFaults: readonly FaultKind[] = [
  createRepairableKind({
    id: 'wrapped',
    repair: (recorded) => {
      const [name] = findWrapper(recorded) ?? []
      if (name === undefined) return undefined
      const { body } = recorded.response
      const { start, end } = locate(body, [name])
      return { body: body.slice(start, end) }
    },
    title: (first, faulty, run) =>
      `The animals are wrapped in ${JSON.stringify(findWrapper(first)?.[0])} in ${formatCount(faulty, listResponses(run))}`,
    advice: 'return a JSON array for a list and a Pet object for an animal, without a wrapper',
  }),
  createFaultKind({
    // The most frequent shape among the error bodies that are not an Error.
    id: 'error-shape',
    minRules: 2,
    findAll(transcript) {
      const errorResponses = findErrors(transcript).filter(hasReadableBody)
      const shapes = new Set(errorResponses.flatMap((recorded) => describeShape(recorded) ?? []))
      return [...shapes]
        .map((shape) => errorResponses.filter((recorded) => describeShape(recorded) === shape))
        .reduce((most, some) => (some.length > most.length ? some : most), [])
    },
    title: (first, wrong, run) =>
      `The error body is ${describeShape(first)} in ${formatCount(wrong, findErrors(run))}`,
    advice:
      'return {"code": string, "message": string, "status": number} with every error; the framework often writes these bodies, not the service',
    explains: (wrong) => {
      const hasJson = wrong.some(({ response }) => parseBody(response) !== undefined)
      return explainsBroken('ERR-1', 'ERR-2', 'ERR-3', ...(hasJson ? [] : ['ERR-4']))
    },
  }),
  createRepairableKind({
    // JSON that is labeled as something else.
    id: 'content-type',
    minRules: 2,
    repair: (recorded) =>
      parseBody(recorded.response) !== undefined && findContentTypeProblem(recorded) !== undefined
        ? { headers: replaceHeader(recorded.response, 'content-type', 'application/json') }
        : undefined,
    title: (first, faulty, run) =>
      `JSON ${findContentTypeProblem(first)} in ${formatCount(faulty, listResponses(run))}`,
    advice: 'send Content-Type: application/json with every JSON body',
  }),
]

/** Finds the member that contains the list or the pet, such as `data`. */
function findWrapper({
  exchange: { request },
  response,
}: RecordedResponse): readonly [string, Json] | undefined {
  const body = isSuccess(response.status) ? parseBody(response) : undefined
  if (!isObject(body) || body.has('id')) return undefined
  const isList = request.method === 'GET' && !request.target.startsWith('/pets/')
  const [only, ...others] = [...body].filter(([, value]) =>
    isList ? Array.isArray(value) : isObject(value) && value.has('id'),
  )
  return others.length > 0 ? undefined : only
}

const maxMemberNames = 8

/** Describes a body that is not an Error (section 7). Returns `undefined` if all members exist. */
function describeShape({ response }: RecordedResponse): string | undefined {
  const body = parseBody(response)
  if (isObject(body)) {
    if (['code', 'message', 'status'].every((name) => body.has(name))) return undefined
    const memberNames = [...body].slice(0, maxMemberNames).map(([name]) => name)
    return `an object with ${shorten(memberNames.join(', '), 100) || 'no members'} instead of code, message and status`
  }
  if (response.body === '') return 'empty'
  if (isHtml(response)) return 'an HTML page'
  if (body !== undefined) return 'not an object'
  return response.body.startsWith('\ufeff') ? 'JSON after a byte order mark' : 'not JSON'
}
