/** The one key that every side knows. */
export const key = 'bench-3f9c1d7a52e84b06a1c4d8e7'

/** So high that no side refuses a request: ours counts both, its peers the first. */
export const limits = { minute: 50_000_000, day: 100_000_000 } as const

export const statuses = ['available', 'pending', 'sold'] as const

export type Status = (typeof statuses)[number]

export interface NewAnimal {
  readonly name: string
  readonly categoryId: number
  readonly status: Status
}

export interface Animal extends NewAnimal {
  readonly id: number
}

const names = ['Luna', 'Bella', 'Charlie', 'Milo', 'Daisy', 'Whiskers', 'Sir Barksalot', 'Old Tom']

/** The animals that every side begins with, made alike however many there are. */
export function animals(count = 1_000): Animal[] {
  return Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    name: `${names[i % names.length]} ${i}`,
    categoryId: (i % 40) + 1,
    status: statuses[i % statuses.length] ?? 'available',
  }))
}

/** What createPet is sent. */
export const newcomer: NewAnimal = { name: 'Biscuit the Brave', categoryId: 7, status: 'available' }
