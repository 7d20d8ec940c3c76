import type { Change } from '../deployment.ts'
import { type Legal, listedPetRules } from '../variant.ts'
import type { Animal, World } from '../world.ts'

/** Lets others do something before every request. */
const meanwhile = (act: (world: World) => void): Change => ({
  middleware: (request, next, world) => {
    act(world)
    return next(request)
  },
})

const edit = (world: World, place: number, change: (animal: Animal) => Animal): void => {
  world.animals = world.animals.map((animal, n) => (n === place ? change(animal) : animal))
}

/** What others may do to the animals while the suite is at work. */
export const legalOtherClients: readonly Legal[] = [
  {
    gap: 'others at work',
    does: 'has others add an animal before every request',
    change: meanwhile((world) => {
      world.animals.push({ id: world.nextId, name: `Guest ${world.nextId}`, categoryId: 2n, status: 'sold' })
      world.nextId += 1n
    }),
  },
  {
    gap: 'others at work',
    does: 'has others add an animal at the front before every request',
    change: meanwhile((world) => {
      world.animals.unshift({
        id: world.nextId,
        name: `Guest ${world.nextId}`,
        categoryId: 2n,
        status: 'available',
      })
      world.nextId += 1n
    }),
  },
  {
    gap: 'others at work',
    does: 'has others take the first animal away before every request',
    unproven: listedPetRules,
    change: meanwhile((world) => {
      world.animals = world.animals.slice(1)
    }),
  },
  {
    gap: 'others at work',
    does: 'has others take an animal in the middle away before every request',
    change: meanwhile((world) => {
      world.animals = world.animals.filter((_, n) => n !== 10)
    }),
  },
  {
    gap: 'others at work',
    does: 'has others rename an animal before every request',
    change: meanwhile((world) =>
      edit(world, world.requests % 7, (animal) => ({
        ...animal,
        name: `Renamed ${world.requests}`,
        categoryId: 3n,
      })),
    ),
  },
  {
    gap: 'others at work',
    does: 'has others adopt an animal before every request',
    unproven: listedPetRules,
    change: meanwhile((world) =>
      edit(world, (world.requests * 7) % 40, (animal) => ({
        ...animal,
        status: animal.status === 'available' ? 'pending' : 'sold',
      })),
    ),
  },
]
