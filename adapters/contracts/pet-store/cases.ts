import assert from 'node:assert/strict'
import {
  type CreateOnceResult,
  type CreationKey,
  type Pet,
  type PetPage,
  type PetStore,
  sha256,
} from '../../../core/index.ts'
import type { ContractCase } from '../runner.ts'

/** The methods that a store may have besides the three that each has. */
export interface PetStoreCapabilities {
  /** It has `createOnce` and `findCreated`. */
  readonly createOnce?: boolean
  /** Whether it has `page`. */
  readonly page?: boolean
  /** Whether it has `update`. */
  readonly update?: boolean
  /** Whether it has `remove`. */
  readonly remove?: boolean
}

/** The capability that each optional method belongs to. */
const optional = {
  createOnce: 'createOnce',
  findCreated: 'createOnce',
  page: 'page',
  update: 'update',
  remove: 'remove',
} as const

/** A store that has all methods. */
export type FullStore = Required<PetStore>

/** A store under test. A case calls only the methods of the capabilities that it needs. */
export interface StoreBench {
  readonly store: FullStore
  /** Opens the animals of the store a second time. From then on the case does not use the first one. */
  reopen(): Promise<FullStore>
}

export type StoreCase = ContractCase<StoreBench, keyof PetStoreCapabilities | 'reopenStore'>

/** Otherwise a method that nobody has declared would not be tested. */
export function capabilitiesCase(capabilities: PetStoreCapabilities): StoreCase {
  return {
    name: 'has the methods of options.capabilities, and no others',
    async run({ store }) {
      for (const [method, capability] of Object.entries(optional)) {
        const has = typeof store[method as keyof typeof optional] === 'function' // a key of the table
        const problem = `options.capabilities.${capability} must be ${has}: the store has ${has ? 'a' : 'no'} ${method}`
        assert.equal(capabilities[capability] ?? false, has, problem)
      }
    },
  }
}

/** Asserts that a method has returned what it should, other members than those of the interface aside. */
export function assertReturned(returned: unknown, expected: unknown): void {
  const [actual, wanted] = [textOf(members(returned)), textOf(members(expected))]
  // Not by assert.deepEqual, which may take minutes to show how two long texts differ.
  if (actual !== wanted) assert.fail(`${actual} is not ${wanted}`)
}

/** Returns the JSON of a value, with `n` after the digits of a bigint. */
export function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
}

function members(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(members)
  if (typeof value !== 'object' || value === null) return value
  const { id, name, categoryId, status, outcome, json, next }: Partial<Pet & CreateOnceResult & PetPage> =
    value
  return { id, name, categoryId, status, outcome, json, next }
}

/** When the first key of each case is used, in milliseconds since the epoch. */
export const firstUse: number = Date.UTC(2026, 10, 20, 12)

/** Returns a key, which is valid for a day by default. The letters stand for what the hashes are of. */
export function keyOf(
  token: string,
  fingerprint = 'f',
  now: number = firstUse,
  forMs = 86_400_000,
): CreationKey {
  return { token: sha256(token), fingerprint: sha256(fingerprint), now, expiresAt: now + forMs }
}
