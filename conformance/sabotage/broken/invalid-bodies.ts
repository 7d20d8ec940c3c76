import { editRequest, isCreate, replaceResponse, type When } from '../change.ts'
import { requestJson } from '../edit.ts'
import { type ApiRequest, errorResponse } from '../exchange.ts'
import { isObject, type Json, type JsonObject, writeJson } from '../json.ts'
import type { Broken } from '../variant.ts'

/** A mistake in a body, and what a deployment that overlooks it reads. */
interface Mistake {
  readonly rule: string
  /** The invalid body, as a noun phrase. */
  readonly body: string
  readonly matches: (body: Json | undefined, text: string) => boolean
  readonly readAs: (body: JsonObject) => JsonObject
}

const validPet = { name: 'Anna', categoryId: 1n }
const withName = (body: JsonObject): JsonObject => ({ ...body, name: 'Anna' })
const withStatus = (body: JsonObject): JsonObject => ({ ...body, status: 'sold' })
const withCategory = (body: JsonObject): JsonObject => ({ ...body, categoryId: 1n })

/** A mistake in the members of a JSON object. */
const member = (
  rule: string,
  body: string,
  matches: (body: JsonObject) => boolean,
  readAs: Mistake['readAs'],
): Mistake => ({ rule, body, matches: (json) => isObject(json) && matches(json), readAs })

const exceeds = (value: Json | undefined, sign: bigint): boolean =>
  typeof value === 'bigint' && BigInt.asIntN(64, value) !== value && value * sign > 0n
const isStatus = (value: Json): boolean => ['available', 'pending', 'sold'].some((status) => status === value)

/** JSON documents that are no objects. */
const documents: readonly (readonly [body: string, matches: Mistake['matches']])[] = [
  ['a JSON array', (body) => Array.isArray(body)],
  ['null in place of an object', (body) => body === null],
  ['a number in place of an object', (body) => typeof body === 'bigint'],
  ['a string in place of an object', (body) => typeof body === 'string'],
]

const mistakes: readonly Mistake[] = [
  member(
    'CREATE-9',
    'an empty object',
    (body) => Object.keys(body).length === 0,
    () => validPet,
  ),
  member('CREATE-10', 'a body without a name', (body) => !('name' in body) && 'categoryId' in body, withName),
  member(
    'CREATE-11',
    'a body without a category',
    (body) => 'name' in body && !('categoryId' in body),
    withCategory,
  ),
  member('CREATE-12', 'a name that is a number', ({ name }) => typeof name === 'bigint', withName),
  member(
    'CREATE-13',
    'a category that is a string',
    ({ categoryId }) => typeof categoryId === 'string',
    withCategory,
  ),
  member('CREATE-13', 'a category that is true', ({ categoryId }) => categoryId === true, withCategory),
  member(
    'CREATE-14',
    'a category with a fraction',
    ({ categoryId }) => typeof categoryId === 'number',
    withCategory,
  ),
  member(
    'CREATE-15',
    'an undeclared status',
    ({ status }) => typeof status === 'string' && !isStatus(status),
    withStatus,
  ),
  {
    rule: 'CREATE-16',
    body: 'malformed JSON',
    matches: (body, text) => body === undefined && text !== '' && !text.endsWith('}'),
    readAs: () => validPet,
  },
  {
    rule: 'CREATE-16',
    body: 'two documents',
    matches: (body, text) => body === undefined && text.endsWith('}'),
    readAs: () => validPet,
  },
  { rule: 'CREATE-17', body: 'no body', matches: (_, text) => text === '', readAs: () => validPet },
  ...documents.map(
    ([body, matches]): Mistake => ({ rule: 'CREATE-18', body, matches, readAs: () => validPet }),
  ),
  member(
    'CREATE-19',
    'null for both required members',
    ({ name, categoryId }) => name === null && categoryId === null,
    () => validPet,
  ),
  member(
    'CREATE-19',
    'a null name',
    ({ name, categoryId }) => name === null && categoryId !== null,
    withName,
  ),
  member(
    'CREATE-19',
    'a null category',
    ({ name, categoryId }) => name !== null && categoryId === null,
    withCategory,
  ),
  member('CREATE-20', 'a category above int64', ({ categoryId }) => exceeds(categoryId, 1n), withCategory),
  member('CREATE-20', 'a category below int64', ({ categoryId }) => exceeds(categoryId, -1n), withCategory),
  member('CREATE-27', 'a null status', ({ status }) => status === null, withStatus),
  member('CREATE-27', 'a status that is a number', ({ status }) => typeof status === 'bigint', withStatus),
]

/** Variants that break section 4.2 with an invalid body: they accept it, or reject it with another status than 400. */
export const brokenInvalidBodies: readonly Broken[] = mistakes.flatMap(
  ({ rule, body, matches, readAs }): Broken[] => {
    const hasMistake: When = (request) => isCreate(request) && matches(requestJson(request), request.body)
    const accept = (request: ApiRequest): ApiRequest => {
      const body = requestJson(request)
      return { ...request, body: writeJson(readAs(isObject(body) ? body : {})) }
    }
    return [
      { rule, does: `accepts ${body}`, ...editRequest(hasMistake, accept) },
      {
        rule,
        does: `rejects ${body} with 422`,
        ...replaceResponse([400], hasMistake, errorResponse(422)),
      },
    ]
  },
)
