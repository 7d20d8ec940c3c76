import { createsWith, editRequest, editResponseWith, isCreate, setHeaders, withAnimals } from '../change.ts'
import type { Change } from '../deployment.ts'
import { requestJson, withBody, withEach, without } from '../edit.ts'
import type { ApiResponse } from '../exchange.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'
import { seedAnimals } from '../world.ts'

/** Reads the bodies that meet a condition as others. */
const readAs = (when: (body: JsonObject) => boolean, edit: (body: JsonObject) => JsonObject): Change =>
  editRequest(createsWith(when), (request) => withBody(request, edit))

/** Reads every name as another. */
const readNameAs = (edit: (name: string) => string): Change =>
  readAs(
    ({ name }) => typeof name === 'string',
    (body) => ({ ...body, name: edit(String(body.name)) }),
  )

/** Changes the Pet that a creation returns. */
const created = (edit: (pet: JsonObject) => JsonObject): Change =>
  editResponseWith([201], isCreate, (response: ApiResponse) => withEach(response, edit))

const isPet = createsWith((body) => typeof body.name === 'string' && typeof body.categoryId === 'bigint')

/** Stores the animals of the requests that it rejects with a status: of all, or of some. */
const storing = (rejected: number, when = isCreate): Change => ({
  middleware(request, next, world) {
    const body = requestJson(request)
    const response = next(request)
    if (response.status !== rejected || !when(request) || !isObject(body) || typeof body.name !== 'string')
      return response
    world.animals.push({ id: world.nextId, name: body.name, categoryId: 1n, status: 'available' })
    world.nextId += 1n
    return response
  },
})

const escapeHtml = (text: string): string => text.replace(/[&<"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** Makes a body invalid, so that the reference rejects it. */
const withoutName = (body: JsonObject): JsonObject => without(body, 'name')

/** Variants that break sections 2, 3 and 4.2 with a valid body. */
export const brokenCreates: readonly Broken[] = [
  {
    rule: 'CREATE-1',
    does: 'responds to a creation with 200',
    change: editResponseWith([201], isCreate, (response) => ({ ...response, status: 200 })),
  },
  {
    rule: 'CREATE-1',
    does: 'rejects every creation',
    categoryId: 1n,
    change: editRequest(isCreate, (request) => ({ ...request, body: '{}' })),
  },
  {
    rule: 'CREATE-2',
    does: 'creates without returning the id',
    change: created((pet) => without(pet, 'id')),
  },
  {
    rule: 'CREATE-2',
    does: 'returns the id of a created animal as a string',
    change: created((pet) => ({ ...pet, id: String(pet.id) })),
  },
  {
    rule: 'CREATE-2',
    does: 'responds to a creation without a body',
    change: editResponseWith([201], isCreate, (response) => ({ ...response, body: '' })),
  },
  {
    rule: 'CREATE-3',
    does: 'returns another name than was sent',
    change: created((pet) => ({ ...pet, name: `${pet.name} ` })),
  },
  {
    rule: 'CREATE-3',
    does: 'returns another category than was sent',
    change: created((pet) => ({ ...pet, categoryId: 9n })),
  },
  {
    rule: 'CREATE-4',
    does: 'rejects the status pending',
    change: readAs(({ status }) => status === 'pending', withoutName),
  },
  {
    rule: 'CREATE-4',
    does: 'creates every animal as available',
    change: readAs(
      ({ status }) => status === 'sold' || status === 'pending',
      (body) => ({ ...body, status: 'available' }),
    ),
  },
  { rule: 'CREATE-5', does: 'requires a status', change: readAs((body) => !('status' in body), withoutName) },
  {
    rule: 'CREATE-5',
    does: 'returns a null status',
    change: {
      prepare: (world) => {
        world.defaultStatus = undefined
      },
      ...created((pet) => ({ status: null, ...pet })),
    },
  },
  {
    rule: 'CREATE-6',
    does: 'returns the id of a listed animal for every creation',
    alsoBreaks: ['CREATE-7', 'CREATE-26', 'CREATE-28'],
    change: created((pet) => ({ ...pet, id: 3n })),
  },
  {
    rule: 'CREATE-7',
    does: 'never serves a created animal',
    change: editRequest(
      (request) => /^\d{4}$/.test(request.petId),
      (request) => ({ ...request, petId: '0' }),
    ),
  },
  {
    rule: 'CREATE-7',
    does: 'serves a created animal under another name',
    alsoBreaks: ['CREATE-26'],
    change: editResponseWith(
      [200],
      (request) => /^\d{4}$/.test(request.petId),
      (response) => withEach(response, (pet) => ({ ...pet, name: 'Rex' })),
    ),
  },
  {
    rule: 'CREATE-8',
    does: 'leaves created animals out of filtered lists',
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
    does: 'stores categories as doubles',
    change: readAs(
      ({ categoryId }) => typeof categoryId === 'bigint' && BigInt.asIntN(64, categoryId) === categoryId,
      (body) => ({ ...body, categoryId: BigInt(Number(body.categoryId)) }),
    ),
  },
  {
    rule: 'CREATE-21',
    does: 'rejects categories that a double cannot hold',
    change: readAs(({ categoryId }) => categoryId === 9007199254740993n, withoutName),
  },
  {
    rule: 'CREATE-22',
    does: 'stores names in ASCII',
    change: readNameAs((name) => name.replace(/[^ -~]/g, '?')),
  },
  {
    rule: 'CREATE-22',
    does: 'drops characters beyond the basic multilingual plane',
    change: readNameAs((name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
  },
  {
    rule: 'CREATE-23',
    does: 'takes the id from the body',
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
    does: 'stores what it rejects',
    change: storing(400),
  },
  {
    rule: 'CREATE-24',
    does: 'stores what it rejects for want of a key',
    change: { ...withAnimals(seedAnimals(22)), ...storing(401) },
  },
  {
    rule: 'CREATE-24',
    does: 'stores a valid animal before it looks up the key',
    change: {
      ...withAnimals(seedAnimals(22)),
      ...storing(401, (request) => request.authorization !== undefined && isPet(request)),
    },
  },
  {
    rule: 'CREATE-25',
    does: 'labels the response to a creation as plain text',
    change: setHeaders([201], isCreate, { 'content-type': 'text/plain' }),
  },
  {
    rule: 'CREATE-28',
    does: 'escapes names for HTML in the response to a creation',
    change: created((pet) => ({ ...pet, name: escapeHtml(String(pet.name)) })),
  },
  {
    rule: 'CREATE-28',
    does: 'stores names without quotes',
    change: readNameAs((name) => name.replace(/["']/g, '')),
  },
]
