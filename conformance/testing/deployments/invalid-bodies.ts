import { applyEdit, editRequest, isCreate, readRequestJson, type When } from './change.ts'
import { isObject, type Json, type JsonObject, writeJson } from './json.ts'
import type { BrokenDeployment } from './variant.ts'

/** How to recognize an invalid body, and the members that a lenient server assumes instead. */
type BodyMistake = readonly [matches: (body: Json | undefined, text: string) => boolean, readAs: JsonObject]

const assumedName = { name: 'Anna' }
const assumedCategory = { categoryId: 1n }
const assumedStatus = { status: 'sold' }
const assumedPet = { ...assumedName, ...assumedCategory }

const matchObject =
  (matches: (body: JsonObject) => boolean): BodyMistake[0] =>
  (body) =>
    isObject(body) && matches(body)

const isBeyondInt64 = (value: Json | undefined, sign: bigint): boolean =>
  typeof value === 'bigint' && BigInt.asIntN(64, value) !== value && value * sign > 0n

const mistakesByRule: Readonly<Record<string, Readonly<Record<string, BodyMistake>>>> = {
  'CREATE-9': { 'an empty object': [matchObject((body) => Object.keys(body).length === 0), assumedPet] },
  'CREATE-10': {
    'a body without a name': [matchObject((body) => !('name' in body) && 'categoryId' in body), assumedName],
  },
  'CREATE-11': {
    'a body without a category': [
      matchObject((body) => 'name' in body && !('categoryId' in body)),
      assumedCategory,
    ],
  },
  'CREATE-12': {
    'a name that is a number': [matchObject(({ name }) => typeof name === 'bigint'), assumedName],
  },
  'CREATE-13': {
    'a category that is a string': [
      matchObject(({ categoryId }) => typeof categoryId === 'string' && categoryId !== ''),
      assumedCategory,
    ],
    'a category that is an empty string': [
      matchObject(({ categoryId }) => categoryId === ''),
      assumedCategory,
    ],
    'a category that is true': [matchObject(({ categoryId }) => categoryId === true), assumedCategory],
    'a category that is false': [matchObject(({ categoryId }) => categoryId === false), assumedCategory],
  },
  'CREATE-14': {
    'a category with a fraction': [
      matchObject(({ categoryId }) => typeof categoryId === 'number'),
      assumedCategory,
    ],
  },
  'CREATE-15': {
    'an undeclared status': [matchObject(({ status }) => status === 'lost'), assumedStatus],
    'a status in capitals': [matchObject(({ status }) => status === 'SOLD'), assumedStatus],
    'an empty status': [matchObject(({ status }) => status === ''), assumedStatus],
  },
  'CREATE-16': {
    'malformed JSON': [(body, text) => body === undefined && text !== '' && !text.endsWith('}'), assumedPet],
    'a trailing comma': [(body, text) => body === undefined && text.endsWith(',}'), assumedPet],
    'two documents': [(body, text) => body === undefined && /[^,]\}$/.test(text), assumedPet],
  },
  'CREATE-17': { 'no body': [(_, text) => text === '', assumedPet] },
  'CREATE-18': {
    'a JSON array': [(body) => Array.isArray(body), assumedPet],
    'null instead of an object': [(body) => body === null, assumedPet],
    'a number instead of an object': [(body) => typeof body === 'bigint', assumedPet],
    'a string instead of an object': [(body) => typeof body === 'string', assumedPet],
  },
  'CREATE-19': {
    'null for both required members': [
      matchObject((body) => body.name === null && body.categoryId === null),
      assumedPet,
    ],
    'a null name': [matchObject((body) => body.name === null && body.categoryId !== null), assumedName],
    'a null category': [
      matchObject((body) => body.name !== null && body.categoryId === null),
      assumedCategory,
    ],
  },
  'CREATE-20': {
    'a category above int64': [
      matchObject(({ categoryId }) => isBeyondInt64(categoryId, 1n)),
      assumedCategory,
    ],
    'a category below int64': [
      matchObject(({ categoryId }) => isBeyondInt64(categoryId, -1n)),
      assumedCategory,
    ],
  },
  'CREATE-27': {
    'a null status': [matchObject(({ status }) => status === null), assumedStatus],
    'a status that is a number': [matchObject(({ status }) => typeof status === 'bigint'), assumedStatus],
  },
}

/** Deployments that accept an invalid body (section 4.2). */
export const brokenBodyDeployments: readonly BrokenDeployment[] = Object.entries(mistakesByRule).flatMap(
  ([rule, bodies]) =>
    Object.entries(bodies).map(([body, [matches, members]]): BrokenDeployment => {
      const hasMistake: When = (request) =>
        isCreate(request) && matches(readRequestJson(request), request.body)
      const acceptMistake = editRequest(hasMistake, (request) => {
        const sentBody = readRequestJson(request)
        return { body: writeJson(applyEdit(isObject(sentBody) ? sentBody : {}, members)) }
      })
      // The profile `create` may drop this step, so `all` is used.
      return {
        rule,
        does: `accepts ${body}`,
        ...(rule === 'CREATE-27' && { profile: 'all' }),
        ...acceptMistake,
      }
    }),
)
