import {
  always,
  creating,
  hear,
  holding,
  instead,
  sayHeaders,
  sentBy,
  type When,
  withBody,
  without,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { callerOf, errorReply } from '../exchange.ts'
import { isObject, type JsonObject } from '../json.ts'
import { idsIn, type Legal } from '../variant.ts'
import { mainKey } from '../world.ts'

const declared = ['name', 'categoryId', 'status']

/** Refuses creations for a reason of the deployment's own. */
const refuse = (status: number, refused: (body: JsonObject) => boolean): Change =>
  hearAndRefuse(status, (call) => {
    const body = sentBy(call)
    return isObject(body) && refused(body)
  })

const hearAndRefuse = (status: number, when: When): Change => ({
  around: (call, next) => {
    const refused = creating(call) && callerOf(call) === mainKey && when(call)
    return refused ? instead(next({ ...call, body: '' }), errorReply(status)) : next(call)
  },
})

const defaultsTo = (status: string | undefined): Change => ({
  prepare: (world) => {
    world.defaultStatus = status
  },
})

const categories = new Set<unknown>([1n, 2n, 3n, 4n])
const nameOf = (body: JsonObject): string => (typeof body.name === 'string' ? body.name : '')

/** The MUST rules that take a creation. */
const ofCreation = idsIn('CREATE', ...Array.from({ length: 22 }, (_, n) => n + 1), 24, 25)

/** Every way to create that sections 2, 4.2 and 5 leave open. */
export const legalCreations: readonly Legal[] = [
  { gap: 'default status', does: 'gives a new one no status', change: defaultsTo(undefined) },
  { gap: 'default status', does: 'makes a new one pending', change: defaultsTo('pending') },
  { gap: 'default status', does: 'makes a new one sold', change: defaultsTo('sold') },
  {
    gap: 'limits on name',
    does: 'takes letters and spaces only',
    unproven: ['CREATE-22'],
    change: refuse(400, (body) => /[^A-Za-z ]/.test(nameOf(body))),
  },
  {
    gap: 'limits on name',
    does: 'takes at most 24 characters',
    unproven: ['CREATE-22'],
    change: refuse(400, (body) => nameOf(body).length > 24),
  },
  {
    gap: 'limits on name',
    does: 'keeps names in normal form and without white space around them',
    change: hear(creating, (call) =>
      withBody(call, (body) => ({
        ...body,
        ...(nameOf(body) && { name: nameOf(body).normalize('NFC').trim() }),
      })),
    ),
  },
  { gap: 'limits on name', does: 'has no two animals of one name', change: refuseTwins() },
  {
    gap: 'categories',
    does: 'knows four categories',
    unproven: ['CREATE-21'],
    change: refuse(400, ({ categoryId }) => typeof categoryId === 'bigint' && !categories.has(categoryId)),
  },
  {
    gap: 'categories',
    does: 'is empty and knows the category that the suite is given',
    categoryId: 7n,
    unproven: ['LIST-16', 'CREATE-21'],
    change: emptyKnowing(7n),
  },
  {
    gap: 'categories',
    does: 'is empty and knows no category that the suite could guess',
    unproven: [
      ...idsIn('LIST', 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 16, 18),
      ...idsIn('GET', 1, 2, 3, 4, 6, 10),
      ...ofCreation,
      'CREATE-26',
    ],
    change: emptyKnowing(7n),
  },
  {
    gap: 'scopes',
    does: 'lets the key only read',
    unproven: [...ofCreation.filter((id) => id !== 'CREATE-24'), 'CREATE-26'],
    change: hearAndRefuse(403, always),
  },
  {
    gap: 'other media types',
    does: 'refuses a body that is not declared as JSON',
    change: hearAndRefuse(415, (call) => !/^application\/json\b/.test(call.contentType ?? '')),
  },
  {
    gap: 'unknown members',
    does: 'refuses members it does not know',
    change: refuse(400, (body) => Object.keys(body).some((name) => !declared.includes(name))),
  },
  { gap: 'unknown members', does: 'refuses an id', change: refuse(400, (body) => 'id' in body) },
  {
    gap: 'unknown members',
    does: 'keeps nothing of what it does not know',
    change: hear(creating, (call) => withBody(call, (body) => without(body, 'id'))),
  },
  {
    gap: 'the answer to a creation',
    does: 'tells where the new one is',
    change: sayHeaders([201], creating, { location: '/v1/pets/1000' }),
  },
  { gap: 'consistency', does: 'shows a new one only after half a second', change: shownAfter(500) },
]

/** Holds no animal, and knows one category. */
function emptyKnowing(known: bigint): Change {
  return {
    ...holding([]),
    ...refuse(400, ({ categoryId }) => typeof categoryId === 'bigint' && categoryId !== known),
  }
}

/** Refuses a name that was given before. */
function refuseTwins(): Change {
  const taken = new Set<string>()
  return {
    prepare: () => taken.clear(),
    ...refuse(400, (body) => {
      const name = nameOf(body)
      return name !== '' && taken.size === taken.add(name).size
    }),
  }
}

/** Hides every new animal for a while, in milliseconds. */
function shownAfter(delay: number): Change {
  const born = new Map<bigint, number>()
  return {
    prepare: () => born.clear(),
    around: (call, next, world) => {
      const now = world.clock.now()
      const all = world.animals
      if (!creating(call)) world.animals = all.filter(({ id }) => (born.get(id) ?? 0) + delay <= now)
      const reply = next(call)
      world.animals = all
      if (reply.status === 201) born.set(world.nextId - 1n, now)
      return reply
    },
  }
}
