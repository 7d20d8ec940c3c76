import type { Pet } from '../../../core/index.ts'

/** The animals that version 1 of each schema has stored in the fixtures. The fifth was deleted. */
export const storedByVersionOne: readonly Pet[] = [
  { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' },
  { id: 2n, name: 'Zoë 🐕‍🦺', categoryId: 2n ** 63n - 1n, status: 'pending' },
  { id: 3n, name: `"Rex" 'O\\'Neill'`, categoryId: -(2n ** 63n), status: 'sold' },
  { id: 4n, name: 'Mia', categoryId: 3n },
]
