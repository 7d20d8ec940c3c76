import { always, editResponse, isCreate, isList, type When } from '../change.ts'
import type { Change } from '../deployment.ts'
import { replaced, withEach, withHeaders, withJson } from '../edit.ts'
import { jsonResponse } from '../exchange.ts'
import type { Json, JsonObject } from '../json.ts'
import { errors, everywhere, type Faulty } from './faulty.ts'

const rename =
  (from: string, to: string) =>
  (item: JsonObject): Json =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name === from ? to : name, value]))

const pets = (edit: (item: JsonObject) => Json, when: When = always): Change =>
  editResponse(when, (response) => (response.status < 300 ? withEach(response, edit) : response))

/** Deployments whose bodies have one wrong form. */
export const faultyBodies: readonly Faulty[] = [
  {
    cause: 'byte-order-mark',
    does: 'writes a byte order mark before its JSON',
    server: everywhere((response) => ({ ...response, body: `\ufeff${response.body}` })),
    nearly: 'writes white space before its JSON',
    near: everywhere((response) => ({ ...response, body: `\r\n ${response.body}` })),
  },
  {
    cause: 'encoded-twice',
    does: 'encodes its JSON twice',
    server: everywhere((response) => ({ ...response, body: JSON.stringify(response.body) })),
    nearly: 'sends strings in place of its JSON',
    near: everywhere((response) => ({ ...response, body: JSON.stringify('a list') })),
  },
  {
    cause: 'wrapped',
    does: 'wraps lists and animals in data',
    server: editResponse(always, (response) =>
      response.status < 300 ? withJson(response, (data) => ({ data, total: 1n })) : response,
    ),
    nearly: 'has two arrays in place of a list',
    near: editResponse(isList, (response) =>
      response.status < 300 ? withJson(response, (data) => ({ data, included: [] })) : response,
    ),
    profile: 'create',
  },
  {
    cause: 'members',
    does: 'writes category_id',
    server: pets(rename('categoryId', 'category_id')),
    nearly: 'writes both names',
    near: pets((item) => ({ ...item, category_id: item.categoryId ?? null })),
  },
  {
    cause: 'members',
    does: 'writes its ids as strings',
    server: pets((item) => ({ ...item, id: String(item.id) })),
    nearly: 'writes words in place of its ids',
    near: pets((item) => ({ ...item, id: `pet-${item.id}` })),
  },
  {
    cause: 'error-shape',
    does: 'has errors of a framework',
    server: errors((response) => replaced(response, jsonResponse(response.status, { error: 'no' }))),
    nearly: 'has errors without a code',
    near: errors((response) =>
      withJson(response, () => ({ code: 'no', message: 'No.', status: BigInt(response.status), more: true })),
    ),
  },
  {
    cause: 'error-shape',
    does: 'has no bodies of errors',
    server: errors((response) => ({ ...response, body: '' })),
    nearly: 'has no text in its errors',
    near: errors((response) =>
      withJson(response, () => ({ code: '', message: '', status: BigInt(response.status) })),
    ),
  },
  {
    cause: 'content-type',
    does: 'declares its JSON as text',
    server: everywhere((response) => withHeaders(response, { 'content-type': 'text/plain' })),
    nearly: 'declares a charset',
    near: everywhere((response) =>
      withHeaders(response, { 'content-type': 'application/json; charset=utf-8' }),
    ),
  },
  {
    cause: 'rounded-integers',
    does: 'rounds integers',
    server: pets(
      (item) => ({ ...item, categoryId: BigInt(Number(item.categoryId)) }),
      (request) => isCreate(request),
    ),
    nearly: 'returns another integer',
    near: pets(
      (item) => ({
        ...item,
        categoryId: item.categoryId === 9007199254740993n ? 7n : (item.categoryId ?? null),
      }),
      isCreate,
    ),
    profile: 'create',
  },
]
