import { shorten } from '../transcript/bounds.ts'
import { isObject, type Json, JsonObject, writeJson } from '../transcript/json.ts'
import { readJson } from '../transcript/json-reader.ts'
import {
  header,
  isGateway,
  isHtml,
  isRead,
  jsonOf,
  type RecordedResponse,
  responses,
  typeProblem,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { brokenIn, type FaultKind, fault, repairable, scopeOf, subject, withHeader } from './cause.ts'

const byteOrderMark = '\ufeff'

/** Returns the repair of a body, if there is one. */
const asBody = (body: string | undefined) => (body === undefined ? undefined : { body })

/** Names the bodies at fault, among those that are not empty. */
const bodyOf = (faulty: readonly RecordedResponse[], transcript: Transcript): string => {
  const withBody = responses(transcript).filter(({ response }) => response.body !== '')
  return `The body of ${scopeOf(faulty, withBody)} is`
}

/**
 * Bodies of another form than the interface requires. Those that have the right content are repaired, so that the faults
 * behind them are found too.
 */
export const bodyFaults: readonly FaultKind[] = [
  repairable({
    id: 'byte-order-mark',
    repair: ({ response: { body } }) => {
      const rest = body.startsWith(byteOrderMark) ? body.slice(1) : undefined
      return asBody(rest !== undefined && readJson(rest) !== undefined ? rest : undefined)
    },
    title: (_, faulty, run) => `${bodyOf(faulty, run)} JSON behind a byte order mark (EF BB BF)`,
    advice: 'write UTF-8 without a byte order mark (RFC 8259, section 8.1)',
  }),
  repairable({
    id: 'encoded-twice',
    repair: ({ response }) => {
      const text = jsonOf(response)
      return asBody(typeof text === 'string' && typeof readJson(text) === 'object' ? text : undefined)
    },
    title: (_, faulty, run) => `${bodyOf(faulty, run)} a JSON string that contains the JSON`,
    advice: 'serialize once: the framework serializes what is serialized already',
  }),
  repairable({
    id: 'wrapped',
    repair: (recorded) => {
      const [, value] = wrapped(recorded) ?? []
      return asBody(value === undefined ? undefined : writeJson(value))
    },
    title: (_, faulty, run) => {
      const names = new Set(faulty.map((recorded) => JSON.stringify(wrapped(recorded)?.[0])))
      return `${bodyOf(faulty, run)} an object that has the animals in ${[...names].join(' or ')}`
    },
    advice: 'return a bare array for a list, and a bare Pet for an animal',
  }),
  repairable({
    // members of animals that have another name, or a string of digits in place of an integer (section 2)
    id: 'members',
    repair: (recorded) => asBody(withMembers(recorded).body),
    title: (_, faulty) => {
      const all = faulty.map(withMembers)
      const differences = [...all.flatMap(({ names }) => names), ...all.flatMap(({ strings }) => strings)]
      return `Animals have ${[...new Set(differences)].join(', and ')}`
    },
    advice:
      'use the names of the interface, letter for letter, and JSON numbers; many drivers return a 64-bit integer as a string',
  }),
  fault({
    // errors that all have the same other shape
    id: 'error-shape',
    least: 2,
    shownBy(transcript) {
      const shapes = new Map<string, RecordedResponse[]>()
      for (const recorded of errorsOf(transcript)) {
        const shape = shapeOf(recorded)
        if (shape !== undefined) shapes.set(shape, (shapes.get(shape) ?? []).concat(recorded))
      }
      return [...shapes.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
    },
    title: (first, wrong, run) =>
      `${subject(scopeOf(wrong, errorsOf(run), 'error'), 'has', 'have')} ${shapeOf(first)}`,
    advice:
      'return {"code": string, "message": string, "status": the status} with every error; often the framework, and not the service, writes these',
    explains: (rule, wrong) => {
      const hasJson = wrong.some(({ response }) => jsonOf(response) !== undefined)
      return brokenIn('ERR-1', 'ERR-2', 'ERR-3', ...(hasJson ? [] : ['ERR-4']))(rule)
    },
  }),
  repairable({
    // JSON with another content type; one rule alone states it as well
    id: 'content-type',
    least: 2,
    repair: (recorded) =>
      jsonOf(recorded.response) !== undefined && typeProblem(recorded) !== undefined
        ? { headers: withHeader(recorded.response, 'content-type', 'application/json') }
        : undefined,
    title: (_, faulty, run) => {
      const json = responses(run).filter(({ response }) => jsonOf(response) !== undefined)
      return `The JSON of ${scopeOf(faulty, json)} has ${typesOf(faulty)}`
    },
    advice: 'send Content-Type: application/json with every JSON body',
  }),
]

/** Returns the only array, or the only object with an id, among the members of an object. */
function wrapped({ exchange: { request }, response }: RecordedResponse): readonly [string, Json] | undefined {
  const body = response.status < 300 ? jsonOf(response) : undefined
  if (!isObject(body) || body.has('id')) return undefined
  const isList = request.method === 'GET' && !request.target.startsWith('/pets/')
  const [only, ...others] = [...body].filter(([, value]) =>
    isList ? Array.isArray(value) : isObject(value) && value.has('id'),
  )
  return others.length > 0 ? undefined : only
}

/** The members of a Pet, with the names that they have in the styles of other frameworks and databases. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  id: ['_id', 'Id', 'ID', 'petId', 'pet_id'],
  name: ['Name', 'petName', 'pet_name'],
  categoryId: ['category_id', 'CategoryId', 'categoryID', 'category-id', 'categoryid'],
}
const memberNamed: ReadonlyMap<string, string> = new Map(
  Object.entries(otherNames).flatMap(([member, names]) => names.map((name) => [name, member] as const)),
)
/** Returns the body with the members of the interface, if it lacks them, and what differs. */
function withMembers({ response }: RecordedResponse) {
  const names = new Set<string>()
  const strings = new Set<string>()
  const repaired = (item: Json): Json => {
    if (!isObject(item) || !item.some(mayDiffer)) return item
    const members = [...item].flatMap(([name, value]) => {
      const member = rightName(item, name)
      const isString = typeof value === 'string' && isInteger(member) && /^-?(?:0|[1-9]\d{0,18})$/.test(value)
      if (member !== name) names.add(`${name} in place of ${member}`)
      if (isString) strings.add(`a string in place of the integer ${member}`)
      return [member, isString ? BigInt(value) : value]
    })
    return new JsonObject(members)
  }
  const body = (response.status < 300 ? jsonOf(response) : undefined) ?? null
  const whole = Array.isArray(body) ? body.map(repaired) : repaired(body)
  const isChanged = names.size + strings.size > 0
  return { body: isChanged ? writeJson(whole) : undefined, names: [...names], strings: [...strings] }
}

/** Whether a member may have another name, or be a string in place of an integer. */
function mayDiffer(name: string, value: Json): boolean {
  return memberNamed.has(name) || (typeof value === 'string' && isInteger(name))
}

/** Returns the name of the interface for a member, where the object has no member of that name. */
function rightName(item: JsonObject, name: string): string {
  const member = memberNamed.get(name)
  if (member === undefined || item.has(member)) return name
  return otherNames[member]?.find((other) => item.has(other)) === name ? member : name
}

/** Whether a member of a Pet is an integer. */
function isInteger(member: string): boolean {
  return member === 'id' || member === 'categoryId'
}

/** Returns the errors whose shape the interface states. */
function errorsOf(transcript: Transcript): readonly RecordedResponse[] {
  return responses(transcript).filter(
    (recorded) =>
      recorded.response.status >= 400 &&
      recorded.response.status !== 429 &&
      !isGateway(recorded.response.status) &&
      isRead(recorded),
  )
}

/** The members of an Error (section 7), and the most members that a title names. */
const errorMembers = ['code', 'message', 'status']
const mostNamed = 8

/** Describes the body of an error that lacks the members of an Error; `undefined` if it has them all. */
function shapeOf({ response }: RecordedResponse): string | undefined {
  const body = jsonOf(response)
  if (isObject(body)) {
    if (errorMembers.every((name) => body.has(name))) return undefined
    const first = [...body].slice(0, mostNamed).map(([name]) => name)
    const names = shorten(first.join(', '), 100)
    if (names === '') return 'the body {}'
    return `${first.length === 1 ? 'the member' : 'the members'} ${names} in place of code, message and status`
  }
  if (response.body === '') return 'no body'
  if (isHtml(response)) return 'an HTML page as its body'
  return body === undefined ? 'a body that is not JSON' : 'a JSON body that is not an object'
}

function typesOf(faulty: readonly RecordedResponse[]): string {
  const types = new Set(faulty.map(({ response }) => header(response, 'content-type')))
  const [type] = types
  if (types.size > 1) return `one of ${types.size} other content types, such as ${type ?? 'none'}`
  return type === undefined ? 'no content type' : `the content type ${type}`
}
