import {
  allOf,
  creating,
  hear,
  sayHeaders,
  sayOn,
  sentBy,
  type When,
  withBody,
  withEach,
  without,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import type { Reply } from '../exchange.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

/** A creation whose body is an object of which something holds. */
const sending = (holds: (body: JsonObject) => boolean): When =>
  allOf(creating, (call) => {
    const body = sentBy(call)
    return isObject(body) && holds(body)
  })

/** Reads the bodies of which something holds as others. */
const readAs = (when: (body: JsonObject) => boolean, edit: (body: JsonObject) => JsonObject): Change =>
  hear(sending(when), (call) => withBody(call, edit))

/** Reads every name as another. */
const nameAs = (edit: (name: string) => string): Change =>
  readAs(
    ({ name }) => typeof name === 'string',
    (body) => ({ ...body, name: edit(String(body.name)) }),
  )

/** Changes what a creation answers. */
const told = (edit: (pet: JsonObject) => JsonObject): Change =>
  sayOn([201], creating, (reply: Reply) => withEach(reply, edit))

const nameless = (body: JsonObject): JsonObject => without(body, 'name')

/** What breaks sections 2, 3 and 4.2 where a body is valid. */
export const brokenCreates: readonly Broken[] = [
  {
    rule: 'CREATE-1',
    does: 'answers a creation with 200',
    change: sayOn([201], creating, (reply) => ({ ...reply, status: 200 })),
  },
  {
    rule: 'CREATE-1',
    does: 'refuses every creation',
    change: hear(creating, (call) => ({ ...call, body: '{}' })),
  },
  { rule: 'CREATE-2', does: 'does not tell the id', change: told((pet) => without(pet, 'id')) },
  { rule: 'CREATE-2', does: 'tells the id as text', change: told((pet) => ({ ...pet, id: String(pet.id) })) },
  {
    rule: 'CREATE-2',
    does: 'tells nothing of what it created',
    change: sayOn([201], creating, (reply) => ({ ...reply, body: '' })),
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
    mayTouch: ['CREATE-26'],
    change: told((pet) => ({ ...pet, id: 3n })),
  },
  {
    rule: 'CREATE-7',
    does: 'never shows a new one',
    change: hear(
      (call) => /^\d{4}$/.test(call.petId),
      (call) => ({ ...call, petId: '0' }),
    ),
  },
  {
    rule: 'CREATE-8',
    does: 'keeps new ones off its filtered pages',
    change: {
      around: (call, next, world) => {
        const { animals } = world
        if (call.query.status !== undefined) world.animals = animals.filter(({ id }) => id < 1000n)
        const reply = next(call)
        if (call.query.status !== undefined) world.animals = animals
        return reply
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
      around: (call, next, world) => {
        const body = sentBy(call)
        if (isObject(body) && typeof body.id === 'bigint') world.nextId = body.id
        return next(call)
      },
    },
  },
  {
    rule: 'CREATE-24',
    does: 'keeps what it refuses',
    change: {
      around: (call, next, world) => {
        const body = sentBy(call)
        const reply = next(call)
        if (reply.status !== 400 || !isObject(body) || typeof body.name !== 'string') return reply
        world.animals.push({ id: world.nextId, name: body.name, categoryId: 1n, status: 'available' })
        world.nextId += 1n
        return reply
      },
    },
  },
  {
    rule: 'CREATE-25',
    does: 'tells of a creation in plain text',
    change: sayHeaders([201], creating, { 'content-type': 'text/plain' }),
  },
]
