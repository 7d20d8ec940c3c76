import { createFixedWindow, type Limiter, minuteMs } from './limiter.ts'

export interface Clock {
  now(): number
  elapsed(): number
  sleep(ms: number): Promise<void>
}

/** Creates a clock that only `sleep` advances. */
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

export interface Animal {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  readonly status?: string
}

export const mainKey = 'pets_main_4f8a1c9e7b2d'
export const throttleKey = 'pets_burn_0d5e2a7c91f36b'

/** The state of a test deployment. */
export interface World {
  readonly clock: Clock
  /** Base path, such as `/v1`. */
  readonly base: string
  /** The animals in the order they are listed. */
  animals: Animal[]
  nextId: bigint
  limiter: Limiter
  /** Status for animals that are created without a status. */
  defaultStatus: string | undefined
  /** Number of requests so far. */
  requests: number
}

/** Creates the initial state: 110 animals, and limits of 60 and, for the throttle key, 12 requests per minute. */
export function createWorld(clock: Clock, base = '/v1'): World {
  const mainLimiter = createFixedWindow(60, minuteMs)
  const throttleLimiter = createFixedWindow(12, minuteMs)
  return {
    clock,
    base,
    animals: seedAnimals(110),
    nextId: 1000n,
    limiter: (caller, now) => (caller === throttleKey ? throttleLimiter : mainLimiter)(caller, now),
    defaultStatus: 'available',
    requests: 0,
  }
}

const animalNames = 'Ada Bruno Clio Dot Émile Fig Gus Hazel Iggy Juno Kiwi Łucja Momo'.split(' ')
const animalStatuses = ['available', 'pending', 'sold', 'available', 'sold', 'pending', 'available'] as const
/** A category that a double cannot represent. */
const largeCategory = 9007199254740995n

/** Creates animals with odd IDs from 3. They cover every status and four categories. */
export function seedAnimals(count: number): Animal[] {
  return Array.from({ length: count }, (_, n) => ({
    id: BigInt(n * 2 + 3),
    name: `${animalNames[n % animalNames.length]} ${Math.floor(n / animalNames.length) + 1}`,
    categoryId: n === 1 ? largeCategory : BigInt((n % 4) + 1),
    status: animalStatuses[n % animalStatuses.length] ?? 'available',
  }))
}
