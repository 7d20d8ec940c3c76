import { editResponseWith, isCreate, isGet, isList } from '../change.ts'
import { withEach } from '../edit.ts'
import type { Legal } from '../variant.ts'

/** Freedoms of a deployment after the response to a creation. */
export const legalStores: readonly Legal[] = [
  {
    gap: 'normal forms of names',
    does: 'stores names in the normal form D',
    change: editResponseWith(
      [200],
      (request) => isList(request) || isGet(request),
      (response) => withEach(response, (pet) => ({ ...pet, name: String(pet.name).normalize('NFD') })),
    ),
  },
  {
    gap: 'normal forms of names',
    does: 'returns names in the normal form D',
    change: editResponseWith([201], isCreate, (response) =>
      withEach(response, (pet) => ({ ...pet, name: String(pet.name).normalize('NFD') })),
    ),
  },
  {
    gap: 'normal forms of names',
    does: 'shows names in the normal form D in getPet only',
    change: editResponseWith([200], isGet, (response) =>
      withEach(response, (pet) => ({ ...pet, name: String(pet.name).normalize('NFD') })),
    ),
  },
]
