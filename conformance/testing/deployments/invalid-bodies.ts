import { edited, editRequest, isCreate, requestJson, type When } from './change.ts'
import { isObject, type Json, type JsonObject, writeJson } from './json.ts'
import type { Broken } from './variant.ts'

/** A mistake in a body, and the members that a deployment that overlooks it reads. */
type Mistake = readonly [matches: (body: Json | undefined, text: string) => boolean, readAs: JsonObject]

const name = { name: 'Anna' }
const category = { categoryId: 1n }
const status = { status: 'sold' }
const pet = { ...name, ...category }

/** A mistake in the members of a JSON object. */
const has =
  (matches: (body: JsonObject) => boolean): Mistake[0] =>
  (body) =>
    isObject(body) && matches(body)

const isBeyond = (value: Json | undefined, sign: bigint): boolean =>
  typeof value === 'bigint' && BigInt.asIntN(64, value) !== value && value * sign > 0n

/** Mistakes by the rules that they break, and by the invalid body as a noun phrase. */
const mistakes: Readonly<Record<string, Readonly<Record<string, Mistake>>>> = {
  'CREATE-9': { 'an empty object': [has((body) => Object.keys(body).length === 0), pet] },
  'CREATE-10': { 'a body without a name': [has((body) => !('name' in body) && 'categoryId' in body), name] },
  'CREATE-11': {
    'a body without a category': [has((body) => 'name' in body && !('categoryId' in body)), category],
  },
  'CREATE-12': { 'a name that is a number': [has(({ name }) => typeof name === 'bigint'), name] },
  'CREATE-13': {
    'a category that is a string': [
      has(({ categoryId }) => typeof categoryId === 'string' && categoryId !== ''),
      category,
    ],
    'a category that is an empty string': [has(({ categoryId }) => categoryId === ''), category],
    'a category that is true': [has(({ categoryId }) => categoryId === true), category],
    'a category that is false': [has(({ categoryId }) => categoryId === false), category],
  },
  'CREATE-14': {
    'a category with a fraction': [has(({ categoryId }) => typeof categoryId === 'number'), category],
  },
  'CREATE-15': {
    'an undeclared status': [has(({ status }) => status === 'lost'), status],
    'a status in capitals': [has(({ status }) => status === 'SOLD'), status],
    'an empty status': [has(({ status }) => status === ''), status],
  },
  'CREATE-16': {
    'malformed JSON': [(body, text) => body === undefined && text !== '' && !text.endsWith('}'), pet],
    'a trailing comma': [(body, text) => body === undefined && text.endsWith(',}'), pet],
    'two documents': [(body, text) => body === undefined && /[^,]\}$/.test(text), pet],
  },
  'CREATE-17': { 'no body': [(_, text) => text === '', pet] },
  'CREATE-18': {
    'a JSON array': [(body) => Array.isArray(body), pet],
    'null in place of an object': [(body) => body === null, pet],
    'a number in place of an object': [(body) => typeof body === 'bigint', pet],
    'a string in place of an object': [(body) => typeof body === 'string', pet],
  },
  'CREATE-19': {
    'null for both required members': [has((body) => body.name === null && body.categoryId === null), pet],
    'a null name': [has((body) => body.name === null && body.categoryId !== null), name],
    'a null category': [has((body) => body.name !== null && body.categoryId === null), category],
  },
  'CREATE-20': {
    'a category above int64': [has(({ categoryId }) => isBeyond(categoryId, 1n)), category],
    'a category below int64': [has(({ categoryId }) => isBeyond(categoryId, -1n)), category],
  },
  'CREATE-27': {
    'a null status': [has(({ status }) => status === null), status],
    'a status that is a number': [has(({ status }) => typeof status === 'bigint'), status],
  },
}

/** Variants that break section 4.2: they accept an invalid body. `causes.test.ts` has the ones with another status. */
export const brokenInvalidBodies: readonly Broken[] = Object.entries(mistakes).flatMap(([rule, bodies]) =>
  Object.entries(bodies).map(([body, [matches, members]]): Broken => {
    const hasMistake: When = (request) => isCreate(request) && matches(requestJson(request), request.body)
    const accept = editRequest(hasMistake, (request) => {
      const sent = requestJson(request)
      return { body: writeJson(edited(isObject(sent) ? sent : {}, members)) }
    })
    return { rule, does: `accepts ${body}`, ...accept }
  }),
)
