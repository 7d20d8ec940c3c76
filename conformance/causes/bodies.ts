import { isObject, type Json, writeJson } from '../transcript/json.ts'
import { readJson } from '../transcript/json-reader.ts'
import { jsonOf, type RecordedResponse, responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import type { Fault, FaultKind, Words } from './cause.ts'
import { repairable } from './repair.ts'
import { scopeOf } from './scope.ts'

const byteOrderMark = '\ufeff'

/** Bodies that are the right JSON in a wrong wrapping. Each is repaired, so that the faults behind it are found too. */
export const bodyFaults: readonly FaultKind[] = [
  {
    id: 'byte-order-mark',
    find: (transcript) =>
      repairedBodies(
        transcript,
        ({ response: { body } }) =>
          body.startsWith(byteOrderMark) && readJson(body.slice(1)) !== undefined ? body.slice(1) : undefined,
        (scope) => ({
          title: `The body of ${scope} is JSON behind a byte order mark (EF BB BF)`,
          advice: 'write UTF-8 without a byte order mark (RFC 8259, section 8.1)',
        }),
      ),
  },
  {
    id: 'encoded-twice',
    find: (transcript) =>
      repairedBodies(
        transcript,
        ({ response }) => {
          const text = jsonOf(response)
          const inner = typeof text === 'string' ? readJson(text) : undefined
          return typeof text === 'string' && typeof inner === 'object' ? text : undefined
        },
        (scope) => ({
          title: `The body of ${scope} is a JSON string that contains the JSON`,
          advice: 'serialize once: the framework serializes what is serialized already',
        }),
      ),
  },
  {
    id: 'wrapped',
    find(transcript) {
      const names = new Set<string>()
      return repairedBodies(
        transcript,
        ({ exchange, response }) => {
          if (response.status >= 300) return undefined
          const isList = exchange.request.method === 'GET' && !exchange.request.target.startsWith('/pets/')
          const found = wrapped(jsonOf(response), isList)
          if (found !== undefined) names.add(found.name)
          return found === undefined ? undefined : writeJson(found.value)
        },
        (scope) => ({
          title: `The body of ${scope} is an object that has the animals in ${[...names].map((name) => JSON.stringify(name)).join(' or ')}`,
          advice: 'return a bare array for a list, and a bare Pet for an animal',
        }),
      )
    },
  },
]

/** Returns the fault that some bodies have, and repairs them. */
function repairedBodies(
  transcript: Transcript,
  repair: (recorded: RecordedResponse) => string | undefined,
  words: (scope: string) => Words,
): Fault | undefined {
  const withBody = responses(transcript).filter(({ response }) => response.body !== '')
  return repairable(
    transcript,
    (recorded) => {
      const body = repair(recorded)
      return body === undefined ? undefined : { body }
    },
    (faulty) => words(scopeOf(faulty, withBody).text),
  )
}

/** Returns the only array, or the only object with an id, among the members of an object. */
function wrapped(
  body: Json | undefined,
  isList: boolean,
): { readonly name: string; readonly value: Json } | undefined {
  if (!isObject(body) || body.has('id')) return undefined
  const inner = [...body].filter(([, value]) =>
    isList ? Array.isArray(value) : isObject(value) && value.has('id'),
  )
  const [only] = inner
  return only === undefined || inner.length > 1 ? undefined : { name: only[0], value: only[1] }
}
