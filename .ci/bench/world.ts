/** The only key that every side accepts. */
export const key = 'bench-3f9c1d7a52e84b06a1c4d8e7'

/** Limits that no run reaches. Ours enforces both, the other frameworks only `minute`. */
export const limits = { minute: 50_000_000, day: 100_000_000 } as const

export const statuses = ['available', 'pending', 'sold'] as const

export type Status = (typeof statuses)[number]

export interface NewPet {
  readonly name: string
  readonly categoryId: number
  readonly status: Status
}

export interface Pet extends NewPet {
  readonly id: number
}

/** Number of animals that every side starts with. */
export const animals = 1_000

const names = ['Luna', 'Bella', 'Charlie', 'Milo', 'Daisy', 'Whiskers', 'Sir Barksalot', 'Old Tom']

export function makePets(): Pet[] {
  return Array.from({ length: animals }, (_, i) => makePet(i))
}

/** Returns the animal at a place from 0. It depends only on the place. */
export function makePet(i: number): Pet {
  return {
    id: i + 1,
    name: `${names[i % names.length]} ${i}`,
    categoryId: (i % 40) + 1,
    status: statuses[i % statuses.length] ?? 'available',
  }
}

/** The request body of createPet. */
export const newPet: NewPet = { name: 'Biscuit the Brave', categoryId: 7, status: 'available' }
