import type { Clock } from './clock.ts'
import { fixedWindow, type Limiter, minute } from './limiter.ts'

/** An animal as this deployment keeps it. */
export interface Animal {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  readonly status?: string
}

/** The key that the suite is given, and the one that it may burn. */
export const mainKey = 'reference-main-key'
export const throttleKey = 'reference-throttle-key'

/** Everything a deployment knows: a variant may change it before the run and during it. */
export interface World {
  readonly clock: Clock
  /** The path prefix of the base address. */
  base: string
  /** In the order in which lists show them. */
  animals: Animal[]
  nextId: bigint
  /** Callers are a key, or `anonymous`. */
  limiter: Limiter
  /** The status of an animal created without one. */
  defaultStatus: string | undefined
  /** How many requests have come in. */
  requests: number
}

/** A world in its first state, as the reference deployment has it: Free's limits, and fewer for the throttle key. */
export function createWorld(clock: Clock): World {
  const free = fixedWindow(60, minute)
  const small = fixedWindow(12, minute)
  return {
    clock,
    base: '/v1',
    animals: seedAnimals(110),
    nextId: 1000n,
    limiter: (caller, now) => (caller === throttleKey ? small : free)(caller, now),
    defaultStatus: 'available',
    requests: 0,
  }
}

const names = [
  'Ada',
  'Bruno',
  'Clio',
  'Dot',
  'Émile',
  'Fig',
  'Gus',
  'Hazel',
  'Iggy',
  'Juno',
  'Kiwi',
  'Łucja',
  'Momo',
]
const statuses = ['available', 'pending', 'sold', 'available', 'sold', 'pending', 'available'] as const
/** More than a double can hold, so that digits lost on the way show. */
const largeCategory = 9007199254740995n

/** The first `count` animals of a shelter with every status, several categories and ids with gaps. */
export function seedAnimals(count: number): Animal[] {
  return Array.from({ length: count }, (_, n) => ({
    id: BigInt(n * 2 + 3),
    name: `${names[n % names.length]} ${Math.floor(n / names.length) + 1}`,
    categoryId: n === 1 ? largeCategory : BigInt((n % 4) + 1),
    status: statuses[n % statuses.length] ?? 'available',
  }))
}
