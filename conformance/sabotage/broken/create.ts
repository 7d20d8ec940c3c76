import {
  both,
  creating,
  hear,
  instead,
  sayOn,
  sentBy,
  type When,
  withBody,
  withEach,
  withHeaders,
  without,
} from '../change.ts'
import { type Change, errorReply, type Reply } from '../deployment.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

const large = 2n ** 53n

/** A creation whose body is an object of which something holds. */
const bodyWhere = (holds: (body: JsonObject) => boolean): When =>
  both(creating, (call) => {
    const body = sentBy(call)
    return isObject(body) && holds(body)
  })

/** Changes what a creation answers. */
const told = (edit: (pet: JsonObject) => JsonObject): Change =>
  sayOn([201], creating, (reply: Reply) => withEach(reply, edit))

/** Lets a body through by mending it. */
const mend = (when: (body: JsonObject) => boolean, edit: (body: JsonObject) => JsonObject): Change =>
  hear(bodyWhere(when), (call) => withBody(call, edit))

/** Lets a body through that is no object. */
const swallow = (when: (body: string) => boolean): Change =>
  hear(
    both(creating, (call) => when(call.body)),
    (call) => ({ ...call, body: '{"name":"Nobody","categoryId":1}' }),
  )

const isText = (value: unknown): boolean => typeof value === 'string'
const named = (body: JsonObject): JsonObject => ({ ...body, name: 'Nobody' })
const filed = (body: JsonObject): JsonObject => ({ ...body, categoryId: 1n })

/** What breaks sections 2, 3, 4.2 and 7. */
export const brokenCreates: readonly Broken[] = [
  {
    rule: 'CREATE-1',
    does: 'answers a creation with 200',
    change: sayOn([201], creating, (reply) => ({ ...reply, status: 200 })),
  },
  {
    rule: 'CREATE-1',
    does: 'refuses every creation',
    change: sayOn([201], creating, (reply) => instead(reply, errorReply(400, 'no', 'No.'))),
  },
  { rule: 'CREATE-2', does: 'does not tell the id', change: told((pet) => without(pet, 'id')) },
  {
    rule: 'CREATE-2',
    does: 'tells the id as text',
    change: told((pet) => ({ ...pet, id: String(pet.id) })),
  },
  {
    rule: 'CREATE-3',
    does: 'tells another name',
    change: told((pet) => ({ ...pet, name: `${pet.name} ` })),
  },
  { rule: 'CREATE-3', does: 'tells another category', change: told((pet) => ({ ...pet, categoryId: 9n })) },
  {
    rule: 'CREATE-4',
    does: 'refuses a pending one',
    change: hear(
      bodyWhere(({ status }) => status === 'pending'),
      (call) => withBody(call, (body) => without(body, 'name')),
    ),
  },
  {
    rule: 'CREATE-4',
    does: 'makes every new one available',
    change: mend(
      ({ status }) => status === 'sold' || status === 'pending',
      (body) => ({ ...body, status: 'available' }),
    ),
  },
  {
    rule: 'CREATE-5',
    does: 'requires a status',
    change: hear(
      bodyWhere((body) => !('status' in body)),
      (call) => withBody(call, (body) => without(body, 'name')),
    ),
  },
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
    change: hear(
      (call) => call.operation === 'getPet' && /^\d{4}$/.test(call.petId),
      (call) => ({ ...call, petId: '0' }),
    ),
  },
  {
    rule: 'CREATE-8',
    does: 'keeps new ones off its filtered pages',
    change: {
      around: (call, next, world) => {
        if (call.query.status === undefined) return next(call)
        const { animals } = world
        world.animals = animals.filter(({ id }) => id < 1000n)
        const reply = next(call)
        world.animals = animals
        return reply
      },
    },
  },
  {
    rule: 'CREATE-9',
    does: 'creates from nothing',
    change: mend(
      (body) => Object.keys(body).length === 0,
      () => ({ name: 'Nobody', categoryId: 1n }),
    ),
  },
  {
    rule: 'CREATE-10',
    does: 'does without a name',
    change: mend((body) => !('name' in body) && 'categoryId' in body, named),
  },
  {
    rule: 'CREATE-11',
    does: 'does without a category',
    change: mend((body) => !('categoryId' in body) && 'name' in body, filed),
  },
  {
    rule: 'CREATE-12',
    does: 'takes anything for a name',
    change: mend(({ name }) => name !== undefined && name !== null && !isText(name), named),
  },
  {
    rule: 'CREATE-13',
    does: 'takes text for a category',
    change: mend(({ categoryId }) => isText(categoryId), filed),
  },
  {
    rule: 'CREATE-14',
    does: 'rounds a category',
    change: mend(({ categoryId }) => typeof categoryId === 'number', filed),
  },
  {
    rule: 'CREATE-15',
    does: 'takes any word for a status',
    change: mend(
      ({ status }) => isText(status) && !['available', 'pending', 'sold'].includes(String(status)),
      (body) => without(body, 'status'),
    ),
  },
  {
    rule: 'CREATE-16',
    does: 'guesses what malformed JSON means',
    change: swallow((body) => /^\s*\{/.test(body) && !isJson(body)),
  },
  { rule: 'CREATE-17', does: 'creates from an empty body', change: swallow((body) => body === '') },
  {
    rule: 'CREATE-18',
    does: 'creates from any JSON',
    change: swallow((body) => isJson(body) && !/^\s*\{/.test(body)),
  },
  {
    rule: 'CREATE-19',
    does: 'takes null for a value',
    change: mend(
      ({ name, categoryId }) => name === null || categoryId === null,
      () => ({ name: 'Nobody', categoryId: 1n }),
    ),
  },
  {
    rule: 'CREATE-20',
    does: 'wraps a category around int64',
    change: mend(
      ({ categoryId }) => typeof categoryId === 'bigint' && BigInt.asIntN(64, categoryId) !== categoryId,
      (body) => ({
        ...body,
        categoryId: typeof body.categoryId === 'bigint' ? BigInt.asIntN(64, body.categoryId) : 1n,
      }),
    ),
  },
  {
    rule: 'CREATE-21',
    does: 'keeps categories as doubles',
    change: mend(
      ({ categoryId }) => typeof categoryId === 'bigint' && categoryId > large && categoryId < 2n ** 63n,
      (body) => ({ ...body, categoryId: BigInt(Number(body.categoryId)) }),
    ),
  },
  {
    rule: 'CREATE-22',
    does: 'keeps names in ASCII',
    change: mend(
      ({ name }) => isText(name),
      (body) => ({ ...body, name: String(body.name).replace(/[^ -~]/g, '?') }),
    ),
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
    change: sayOn([201], creating, (reply) => withHeaders(reply, { 'content-type': 'text/plain' })),
  },
]

function isJson(text: string): boolean {
  return sentBy({ body: text }) !== undefined
}
