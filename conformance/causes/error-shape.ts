import { shorten } from '../transcript/bounds.ts'
import { isObject } from '../transcript/json.ts'
import {
  isGateway,
  isHtml,
  isRead,
  jsonOf,
  type RecordedResponse,
  responses,
} from '../transcript/responses.ts'
import { brokenIn, type FaultKind } from './cause.ts'
import { scopeOf, subject } from './scope.ts'

/** The members of an Error (section 7). */
const members = ['code', 'message', 'status']

/** The most members that a title names. */
const mostNamed = 8

/** Errors that all have the same other shape. */
export const errorShapeFault: FaultKind = {
  id: 'error-shape',
  least: 2,
  find(transcript) {
    const errors = responses(transcript).filter(
      (recorded) =>
        recorded.response.status >= 400 &&
        recorded.response.status !== 429 &&
        !isGateway(recorded.response.status) &&
        isRead(recorded),
    )
    const shaped = errors.map((recorded) => ({ recorded, shape: shapeOf(recorded) }))
    const [most] = [...new Set(shaped.flatMap(({ shape }) => shape ?? []))]
      .map((shape) => ({ shape, those: shaped.filter((one) => one.shape === shape) }))
      .toSorted((a, b) => b.those.length - a.those.length)
    if (most === undefined) return undefined
    const { shape } = most
    const wrong = most.those.map(({ recorded }) => recorded)
    return {
      title: `${subject(scopeOf(wrong, errors, 'error'), 'has', 'have')} ${shape}`,
      advice:
        'return {"code": string, "message": string, "status": the status} with every error; often the framework, and not the service, writes these',
      exchanges: wrong.map(({ id }) => id),
      explains: brokenIn('ERR-1', 'ERR-2', 'ERR-3', ...(wrong.some(isJson) ? [] : ['ERR-4'])),
    }
  },
}

/** Describes the body of an error that lacks the members of an Error; `undefined` if it has them all. */
function shapeOf({ response }: RecordedResponse): string | undefined {
  const body = jsonOf(response)
  if (isObject(body)) {
    if (members.every((name) => body.has(name))) return undefined
    const names = shorten(
      [...body]
        .slice(0, mostNamed)
        .map(([name]) => name)
        .join(', '),
      100,
    )
    return names === '' ? 'the body {}' : `the members ${names} in place of ${members.join(', ')}`
  }
  if (response.body === '') return 'no body'
  if (isHtml(response)) return 'an HTML page as its body'
  return body === undefined ? 'a body that is not JSON' : 'a JSON body that is not an object'
}

function isJson({ response }: RecordedResponse): boolean {
  return jsonOf(response) !== undefined
}
