export const key = 'bench-3f9c1d7a52e84b06a1c4d8e7'

/** No benchmark reaches these limits. The peers only enforce `minute`. */
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

export const petCount = 1_000

const names = ['Luna', 'Bella', 'Charlie', 'Milo', 'Daisy', 'Whiskers', 'Sir Barksalot', 'Old Tom']

export function makePets(): Pet[] {
  return Array.from({ length: petCount }, (_, i) => makePet(i))
}

export function makePet(i: number): Pet {
  return {
    id: i + 1,
    name: `${names[i % names.length]} ${i}`,
    categoryId: (i % 40) + 1,
    status: statuses[i % statuses.length] ?? 'available',
  }
}

export const newPet: NewPet = { name: 'Biscuit the Brave', categoryId: 7, status: 'available' }
