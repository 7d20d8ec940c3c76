import { allOf, editRequest, editResponseWith, isCreate, setHeaders, type When } from '../change.ts'
import type { Change } from '../deployment.ts'
import { requestJson, withBody, withEach, without } from '../edit.ts'
import type { ApiResponse } from '../exchange.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

/** A creation whose body is an object of which something holds. */
const sending = (holds: (body: JsonObject) => boolean): When =>
  allOf(isCreate, (request) => {
    const body = requestJson(request)
    return isObject(body) && holds(body)
  })

/** Reads the bodies of which something holds as others. */
const readAs = (when: (body: JsonObject) => boolean, edit: (body: JsonObject) => JsonObject): Change =>
  editRequest(sending(when), (request) => withBody(request, edit))

/** Reads every name as another. */
const nameAs = (edit: (name: string) => string): Change =>
  readAs(
    ({ name }) => typeof name === 'string',
    (body) => ({ ...body, name: edit(String(body.name)) }),
  )

/** Changes what a creation answers. */
const told = (edit: (pet: JsonObject) => JsonObject): Change =>
  editResponseWith([201], isCreate, (response: ApiResponse) => withEach(response, edit))

const nameless = (body: JsonObject): JsonObject => without(body, 'name')

/** What breaks sections 2, 3 and 4.2 where a body is valid. */
export const brokenCreates: readonly Broken[] = [
  {
    rule: 'CREATE-1',
    does: 'answers a creation with 200',
    change: editResponseWith([201], isCreate, (response) => ({ ...response, status: 200 })),
  },
  {
    rule: 'CREATE-1',
    does: 'refuses every creation',
    change: editRequest(isCreate, (request) => ({ ...request, body: '{}' })),
  },
  { rule: 'CREATE-2', does: 'does not tell the id', change: told((pet) => without(pet, 'id')) },
  { rule: 'CREATE-2', does: 'tells the id as text', change: told((pet) => ({ ...pet, id: String(pet.id) })) },
  {
    rule: 'CREATE-2',
    does: 'tells nothing of what it created',
    change: editResponseWith([201], isCreate, (response) => ({ ...response, body: '' })),
  },
  { rule: 'CREATE-3', does: 'tells another name', change: told((pet) => ({ ...pet, name: `${pet.name} ` })) },
  { rule: 'CREATE-3', does: 'tells another category', change: told((pet) => ({ ...pet, categoryId: 9n })) },
  {
    rule: 'CREATE-4',
    does: 'refuses a pending one',
    change: readAs(({ status }) => status === 'pending', nameless),
  },
  {
    rule: 'CREATE-4',
    does: 'makes every new one available',
    change: readAs(
      ({ status }) => status === 'sold' || status === 'pending',
      (body) => ({ ...body, status: 'available' }),
    ),
  },
  { rule: 'CREATE-5', does: 'requires a status', change: readAs((body) => !('status' in body), nameless) },
  {
    rule: 'CREATE-5',
    does: 'tells a null status',
    change: {
      prepare: (world) => {
        world.defaultStatus = undefined
      },
      ...told((pet) => ({ status: null, ...pet })),
    },
  },
  {
    rule: 'CREATE-6',
    does: 'gives everyone the id of the first',
    change: told((pet) => ({ ...pet, id: 3n })),
  },
  {
    rule: 'CREATE-7',
    does: 'never shows a new one',
    change: editRequest(
      (request) => /^\d{4}$/.test(request.petId),
      (request) => ({ ...request, petId: '0' }),
    ),
  },
  {
    rule: 'CREATE-8',
    does: 'keeps new ones off its filtered pages',
    change: {
      middleware: (request, next, world) => {
        const { animals } = world
        if (request.query.status !== undefined) world.animals = animals.filter(({ id }) => id < 1000n)
        const response = next(request)
        if (request.query.status !== undefined) world.animals = animals
        return response
      },
    },
  },
  {
    rule: 'CREATE-21',
    does: 'keeps categories as doubles',
    change: readAs(
      ({ categoryId }) => typeof categoryId === 'bigint' && BigInt.asIntN(64, categoryId) === categoryId,
      (body) => ({ ...body, categoryId: BigInt(Number(body.categoryId)) }),
    ),
  },
  { rule: 'CREATE-22', does: 'keeps names in ASCII', change: nameAs((name) => name.replace(/[^ -~]/g, '?')) },
  { rule: 'CREATE-22', does: 'takes names apart', change: nameAs((name) => name.normalize('NFD')) },
  {
    rule: 'CREATE-22',
    does: 'drops characters beyond the first plane',
    change: nameAs((name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
  },
  {
    rule: 'CREATE-23',
    does: 'lets the caller choose the id',
    change: {
      middleware: (request, next, world) => {
        const body = requestJson(request)
        if (isObject(body) && typeof body.id === 'bigint') world.nextId = body.id
        return next(request)
      },
    },
  },
  {
    rule: 'CREATE-24',
    does: 'keeps what it refuses',
    change: {
      middleware: (request, next, world) => {
        const body = requestJson(request)
        const response = next(request)
        if (response.status !== 400 || !isObject(body) || typeof body.name !== 'string') return response
        world.animals.push({ id: world.nextId, name: body.name, categoryId: 1n, status: 'available' })
        world.nextId += 1n
        return response
      },
    },
  },
  {
    rule: 'CREATE-25',
    does: 'tells of a creation in plain text',
    change: setHeaders([201], isCreate, { 'content-type': 'text/plain' }),
  },
]
