import {
  editResponse,
  everyRequest,
  isCreate,
  isGet,
  isList,
  replaceResponse,
  setHeaders,
  type When,
} from './change.ts'
import type { Change } from './deployment.ts'
import { createErrorResponse } from './exchange.ts'
import { createLegal, type LegalDeployment } from './variant.ts'
import type { Animal, World } from './world.ts'

const onRemovalDate = '2030-12-05T09:00:05Z'
const afterRemoval = '2030-12-08T09:00:05Z'

const runBeforeRequests = (act: (world: World) => void): Change => ({
  middleware: (request, next, world) => {
    act(world)
    return next(request)
  },
})

const addBeforeRequests = (place: 'push' | 'unshift', status: string): Change =>
  runBeforeRequests((world) => {
    world.animals[place]({ id: world.nextId, name: `Guest ${world.nextId}`, categoryId: 2n, status })
    world.nextId += 1n
  })

const editBeforeRequests = (
  index: (requests: number) => number,
  edit: (animal: Animal, world: World) => Animal,
): Change =>
  runBeforeRequests((world) => {
    const at = index(world.requests)
    world.animals = world.animals.map((animal, n) => (n === at ? edit(animal, world) : animal))
  })

/** Serves a created animal only after `delay` milliseconds. Until then, the deployment serves what `show` returns. */
export function delayNewAnimals(
  delay: number,
  when: When = everyRequest,
  show: (animal: Animal) => Animal[] = () => [],
): Change {
  const creationTimes = new Map<bigint, number>()
  return {
    prepare: () => creationTimes.clear(),
    middleware: (request, next, world) => {
      const now = world.clock.now()
      const all = world.animals
      if (!isCreate(request) && when(request)) {
        world.animals = all.flatMap((animal) =>
          (creationTimes.get(animal.id) ?? 0) + delay > now ? show(animal) : animal,
        )
      }
      const response = next(request)
      world.animals = all
      if (response.status === 201) creationTimes.set(world.nextId - 1n, now)
      return response
    },
  }
}

const setGetPetHeaders = (members: Readonly<Record<string, string>>): Change =>
  editResponse(isGet, setHeaders(members))

export const removeGetPet = (status: number): Change =>
  editResponse(isGet, (response) =>
    response.status === 401 ? response : replaceResponse(response, createErrorResponse(status)),
  )

/** Deployments that conform and change during the run, or around the removal of getPet. */
export const legalDeploymentsOverTime: readonly LegalDeployment[] = createLegal({
  'eventual consistency: serves a created animal after half a second': delayNewAnimals(500),
  'eventual consistency: lists a created animal after two seconds': delayNewAnimals(2000, isList),
  'eventual consistency: lists an outdated name for two seconds': delayNewAnimals(2000, isList, (animal) => [
    { ...animal, name: 'New' },
  ]),
  'other clients: adds a last animal before every request': addBeforeRequests('push', 'sold'),
  'other clients: adds a first animal before every request': addBeforeRequests('unshift', 'available'),
  'other clients: removes the first animal before every request': runBeforeRequests((world) => {
    world.animals = world.animals.slice(1)
  }),
  'other clients: removes the 11th animal before every request': runBeforeRequests((world) => {
    world.animals = world.animals.filter((_, n) => n !== 10)
  }),
  'other clients: renames an animal before every request': editBeforeRequests(
    (requests) => requests % 7,
    (animal, { requests }) => ({ ...animal, name: `Renamed ${requests}`, categoryId: 3n }),
  ),
  "other clients: changes an animal's status before every request": editBeforeRequests(
    (requests) => (requests * 7) % 40,
    (animal) => ({ ...animal, status: animal.status === 'available' ? 'pending' : 'sold' }),
  ),
  'removal of getPet: serves getPet on the removal date': { start: onRemovalDate },
  'removal of getPet: serves getPet one day after the removal date': { start: '2030-12-06T23:00:05Z' },
  'removal of getPet: returns 410 for getPet on the removal date': {
    start: onRemovalDate,
    ...removeGetPet(410),
  },
  'removal of getPet: returns 410 for getPet after the removal date': {
    start: afterRemoval,
    ...removeGetPet(410),
  },
  'removal of getPet: returns 405 for getPet after the removal date': {
    start: afterRemoval,
    ...removeGetPet(405),
  },
  'deprecation headers: sends Deprecation and Sunset headers': setGetPetHeaders({
    deprecation: '@1795132800',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    link: '</v1/pets>; rel="successor-version"',
  }),
  'deprecation headers: sends a Sunset date at midnight in UTC+14': setGetPetHeaders({
    sunset: 'Wed, 04 Dec 2030 10:00:00 GMT',
  }),
})
