import { editRequest, isCreate, replaceResponse, type When } from '../change.ts'
import { requestJson } from '../edit.ts'
import { type ApiRequest, errorResponse } from '../exchange.ts'
import { isObject, type Json, type JsonObject, writeJson } from '../json.ts'
import type { Broken } from '../variant.ts'

/** A fault of a body, and how it reads to a deployment that does not see it. */
interface Fault {
  readonly rule: string
  /** The body, as a noun phrase. */
  readonly body: string
  readonly isIn: (body: Json | undefined, text: string) => boolean
  readonly readAs: (body: JsonObject) => JsonObject
}

const somebody = { name: 'Somebody', categoryId: 1n }
const named = (body: JsonObject): JsonObject => ({ ...body, name: 'Somebody' })
const filed = (body: JsonObject): JsonObject => ({ ...body, categoryId: 1n })

/** A fault of a body that is an object. */
const member = (
  rule: string,
  body: string,
  isIn: (body: JsonObject) => boolean,
  readAs: Fault['readAs'],
): Fault => ({ rule, body, isIn: (sent) => isObject(sent) && isIn(sent), readAs })

const isWide = (value: Json | undefined): boolean =>
  typeof value === 'bigint' && BigInt.asIntN(64, value) !== value
const isStatus = (value: Json): boolean => ['available', 'pending', 'sold'].some((status) => status === value)

const faults: readonly Fault[] = [
  member(
    'CREATE-9',
    'an empty object',
    (body) => Object.keys(body).length === 0,
    () => somebody,
  ),
  member('CREATE-10', 'a body without a name', (body) => !('name' in body) && 'categoryId' in body, named),
  member(
    'CREATE-11',
    'a body without a category',
    (body) => 'name' in body && !('categoryId' in body),
    filed,
  ),
  member('CREATE-12', 'a number for a name', ({ name }) => typeof name === 'bigint', named),
  member('CREATE-13', 'text for a category', ({ categoryId }) => typeof categoryId === 'string', filed),
  member('CREATE-14', 'a fraction of a category', ({ categoryId }) => typeof categoryId === 'number', filed),
  member(
    'CREATE-15',
    'any word for a status',
    ({ status = 'sold' }) => !isStatus(status),
    (body) => ({ ...body, status: 'sold' }),
  ),
  {
    rule: 'CREATE-16',
    body: 'malformed JSON',
    isIn: (body, text) => body === undefined && text !== '',
    readAs: () => somebody,
  },
  { rule: 'CREATE-17', body: 'no body', isIn: (_, text) => text === '', readAs: () => somebody },
  {
    rule: 'CREATE-18',
    body: 'JSON that is no object',
    isIn: (body) => body !== undefined && !isObject(body),
    readAs: () => somebody,
  },
  member(
    'CREATE-19',
    'null for its members',
    ({ name, categoryId }) => name === null && categoryId === null,
    () => somebody,
  ),
  member('CREATE-20', 'a category beyond int64', ({ categoryId }) => isWide(categoryId), filed),
]

/** What breaks section 4.2 where a body is to be refused: it is accepted, or refused with another status. */
export const brokenInvalidBodies: readonly Broken[] = faults.flatMap(
  ({ rule, body, isIn, readAs }): Broken[] => {
    const hasFault: When = (request) => isCreate(request) && isIn(requestJson(request), request.body)
    const accept = (request: ApiRequest): ApiRequest => {
      const sent = requestJson(request)
      return { ...request, body: writeJson(readAs(isObject(sent) ? sent : {})) }
    }
    return [
      { rule, does: `accepts ${body}`, change: editRequest(hasFault, accept) },
      {
        rule,
        does: `refuses ${body} with 422`,
        change: replaceResponse([400], hasFault, errorResponse(422)),
      },
    ]
  },
)
