import { always, editResponse, headers, isCreate, isGet, isList, replaced, type When } from './change.ts'
import type { Change } from './deployment.ts'
import { createErrorResponse } from './exchange.ts'
import { allowedBy, type Legal } from './variant.ts'
import type { Animal, World } from './world.ts'

const onTheDay = '2030-12-05T09:00:05Z'
const afterRemoval = '2030-12-08T09:00:05Z'

/** Lets another client change the state before every request. */
const beforeEach = (act: (world: World) => void): Change => ({
  middleware: (request, next, world) => {
    act(world)
    return next(request)
  },
})

/** Another client adds an animal at the end or at the front. */
const adds = (place: 'push' | 'unshift', status: string): Change =>
  beforeEach((world) => {
    world.animals[place]({ id: world.nextId, name: `Guest ${world.nextId}`, categoryId: 2n, status })
    world.nextId += 1n
  })

/** Another client changes an animal. */
const edits = (index: (requests: number) => number, edit: (animal: Animal, world: World) => Animal): Change =>
  beforeEach((world) => {
    const at = index(world.requests)
    world.animals = world.animals.map((animal, n) => (n === at ? edit(animal, world) : animal))
  })

/** Shows an animal in another way, or not at all, to some requests in the first milliseconds after its creation. */
export function late(
  delay: number,
  when: When = always,
  show: (animal: Animal) => Animal[] = () => [],
): Change {
  const createdAt = new Map<bigint, number>()
  return {
    prepare: () => createdAt.clear(),
    middleware: (request, next, world) => {
      const now = world.clock.now()
      const all = world.animals
      if (!isCreate(request) && when(request)) {
        world.animals = all.flatMap((animal) =>
          (createdAt.get(animal.id) ?? 0) + delay > now ? show(animal) : animal,
        )
      }
      const response = next(request)
      world.animals = all
      if (response.status === 201) createdAt.set(world.nextId - 1n, now)
      return response
    },
  }
}

/** Sets headers on the responses of getPet. */
const getHeaders = (members: Readonly<Record<string, string>>): Change =>
  editResponse(isGet, headers(members))

/** getPet after its removal, for callers with a key. */
export const removed = (status: number): Change =>
  editResponse(isGet, (response) =>
    response.status === 401 ? response : replaced(response, createErrorResponse(status)),
  )

/** Variants of what the spec leaves open about changes: of animals during a run, and of getPet over the years. */
export const legalOverTime: readonly Legal[] = allowedBy({
  'consistency: shows a created animal after half a second': late(500),
  'consistency: lists a created animal after two seconds': late(2000, isList),
  'consistency: lists an animal under its first name for two seconds': late(2000, isList, (animal) => [
    { ...animal, name: 'New' },
  ]),
  'other clients: has another client that adds an animal before every request': adds('push', 'sold'),
  'other clients: has another client that adds an animal at the front before every request': adds(
    'unshift',
    'available',
  ),
  'other clients: has another client that removes the first animal before every request': beforeEach(
    (world) => {
      world.animals = world.animals.slice(1)
    },
  ),
  'other clients: has another client that removes an animal in the middle before every request': beforeEach(
    (world) => {
      world.animals = world.animals.filter((_, n) => n !== 10)
    },
  ),
  'other clients: has another client that renames an animal before every request': edits(
    (requests) => requests % 7,
    (animal, { requests }) => ({ ...animal, name: `Renamed ${requests}`, categoryId: 3n }),
  ),
  'other clients: has another client that changes the status of an animal before every request': edits(
    (requests) => (requests * 7) % 40,
    (animal) => ({ ...animal, status: animal.status === 'available' ? 'pending' : 'sold' }),
  ),
  'the day of removal: still has getPet on the day of removal': { start: onTheDay },
  'the day of removal: still has getPet a day after its removal date': { start: '2030-12-06T23:00:05Z' },
  'the day of removal: has removed getPet on the day of removal': { start: onTheDay, ...removed(410) },
  'after the removal: responds to getPet with 410 after its removal': {
    start: afterRemoval,
    ...removed(410),
  },
  'after the removal: responds to getPet with 405 after its removal': {
    start: afterRemoval,
    ...removed(405),
  },
  'deprecation headers: sends the Deprecation header of RFC 9745 and a Sunset header': getHeaders({
    deprecation: '@1795132800',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    link: '</v1/pets>; rel="successor-version"',
  }),
  'deprecation headers: has its sunset at the start of the day in UTC+14': getHeaders({
    sunset: 'Wed, 04 Dec 2030 10:00:00 GMT',
  }),
})
