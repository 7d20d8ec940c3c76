import type { Change } from '../deployment.ts'
import { allowedBy, type Legal, listedPetRules } from '../variant.ts'
import type { Animal, World } from '../world.ts'

/** Lets another client change the state before every request. */
const beforeEach = (act: (world: World) => void): Change => ({
  middleware: (request, next, world) => {
    act(world)
    return next(request)
  },
})

const edit = (world: World, index: number, change: (animal: Animal) => Animal): void => {
  world.animals = world.animals.map((animal, n) => (n === index ? change(animal) : animal))
}

/** Variants in which other clients change the animals during the run. */
export const legalOtherClients: readonly Legal[] = allowedBy({
  'other clients': {
    'has another client that adds an animal before every request': beforeEach((world) => {
      world.animals.push({ id: world.nextId, name: `Guest ${world.nextId}`, categoryId: 2n, status: 'sold' })
      world.nextId += 1n
    }),
    'has another client that adds an animal at the front before every request': beforeEach((world) => {
      world.animals.unshift({
        id: world.nextId,
        name: `Guest ${world.nextId}`,
        categoryId: 2n,
        status: 'available',
      })
      world.nextId += 1n
    }),
    'has another client that removes the first animal before every request': {
      unproven: listedPetRules,
      ...beforeEach((world) => {
        world.animals = world.animals.slice(1)
      }),
    },
    'has another client that removes an animal in the middle before every request': beforeEach((world) => {
      world.animals = world.animals.filter((_, n) => n !== 10)
    }),
    'has another client that renames an animal before every request': beforeEach((world) =>
      edit(world, world.requests % 7, (animal) => ({
        ...animal,
        name: `Renamed ${world.requests}`,
        categoryId: 3n,
      })),
    ),
    'has another client that changes the status of an animal before every request': {
      unproven: listedPetRules,
      ...beforeEach((world) =>
        edit(world, (world.requests * 7) % 40, (animal) => ({
          ...animal,
          status: animal.status === 'available' ? 'pending' : 'sold',
        })),
      ),
    },
  },
})
