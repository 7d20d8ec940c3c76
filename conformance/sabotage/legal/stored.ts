import { getting, listing, sayOn, withEach } from '../change.ts'
import type { Legal } from '../variant.ts'

/** Freedoms of a deployment after the response to a creation. */
export const legalStores: readonly Legal[] = [
  {
    gap: 'normal forms of names',
    does: 'stores names in the normal form D',
    change: sayOn(
      [200],
      (call) => listing(call) || getting(call),
      (reply) => withEach(reply, (pet) => ({ ...pet, name: String(pet.name).normalize('NFD') })),
    ),
  },
]
