import { fixedWindow, type Limiter, minute } from './limiter.ts'

/** The clock that a deployment and the suite that judges it share. */
export interface Clock {
  /** The current time in Unix milliseconds. */
  now(): number
  /** Milliseconds since any moment, for durations. */
  elapsed(): number
  /** Advances the clock, in milliseconds, without waiting. */
  sleep(ms: number): Promise<void>
}

/** A clock that only `sleep` advances. It starts at a time in ISO 8601. */
export function createClock(start: string): Clock {
  let time = Date.parse(start)
  return {
    now: () => time,
    elapsed: () => time,
    sleep: async (ms) => {
      time += ms
    },
  }
}

/** An animal as this deployment stores it. */
export interface Animal {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  readonly status?: string
}

/** The key that the suite runs with, and the key whose limit it may exhaust. */
export const mainKey = 'pets_main_4f8a1c9e7b2d'
export const throttleKey = 'pets_burn_0d5e2a7c91f36b'

/** The state of a deployment. A variant may change it before the run and during it. */
export interface World {
  readonly clock: Clock
  /** The path of the base URL. */
  readonly base: string
  /** The animals in the order of a list. */
  animals: Animal[]
  nextId: bigint
  /** Charges a caller: one of the keys, or `anonymous`. */
  limiter: Limiter
  /** The status of an animal that was created without one. */
  defaultStatus: string | undefined
  /** The number of requests received. */
  requests: number
}

/** The state that the reference deployment starts with: the Free plan's limit, and a lower one for the throttle key. */
export function createWorld(clock: Clock, base = '/v1'): World {
  const free = fixedWindow(60, minute)
  const small = fixedWindow(12, minute)
  return {
    clock,
    base,
    animals: seedAnimals(110),
    nextId: 1000n,
    limiter: (caller, now) => (caller === throttleKey ? small : free)(caller, now),
    defaultStatus: 'available',
    requests: 0,
  }
}

const names = 'Ada Bruno Clio Dot Émile Fig Gus Hazel Iggy Juno Kiwi Łucja Momo'.split(' ')
const statuses = ['available', 'pending', 'sold', 'available', 'sold', 'pending', 'available'] as const
/** More digits than a double can represent, so that a loss of precision shows. */
const largeCategory = 9007199254740995n

/** The first `count` animals of a shelter that has every status, several categories and ids with gaps. */
export function seedAnimals(count: number): Animal[] {
  return Array.from({ length: count }, (_, n) => ({
    id: BigInt(n * 2 + 3),
    name: `${names[n % names.length]} ${Math.floor(n / names.length) + 1}`,
    categoryId: n === 1 ? largeCategory : BigInt((n % 4) + 1),
    status: statuses[n % statuses.length] ?? 'available',
  }))
}
