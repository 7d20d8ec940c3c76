import assert from 'node:assert/strict'
import type { PetStore } from '../../../core/index.ts'
import type { StoreCase } from './cases.ts'

/** The methods that a store may have besides the three that each has. */
export interface PetStoreCapabilities {
  /** It has `createOnce` and `findCreated`. */
  readonly createOnce?: boolean
  readonly page?: boolean
  readonly update?: boolean
  readonly remove?: boolean
}

export type Capability = keyof PetStoreCapabilities

/** The methods of each capability. */
const methodsOf: Readonly<Record<Capability, readonly Exclude<keyof PetStore, 'create' | 'get' | 'list'>[]>> =
  {
    createOnce: ['createOnce', 'findCreated'],
    page: ['page'],
    update: ['update'],
    remove: ['remove'],
  }

/** A store that has all methods. */
export type FullStore = Required<PetStore>

/** A case for stores that have these capabilities. */
export interface CapabilityCase {
  readonly name: string
  readonly needs: readonly [Capability, ...Capability[]]
  /** Calls only the methods of its capabilities. */
  run(store: FullStore): Promise<void>
}

/** Returns the case for stores with these capabilities. For others it is skipped. */
export function caseFor(capabilities: PetStoreCapabilities, { name, needs, run }: CapabilityCase): StoreCase {
  return {
    name,
    skipped: skipReason(capabilities, needs),
    run: (store) => run(store as FullStore), // a store without the methods skips the case
  }
}

/** Returns why a case with these needs is skipped; undefined if it is not. */
export function skipReason(
  capabilities: PetStoreCapabilities,
  needs: readonly Capability[],
): string | undefined {
  const missing = needs.find((need) => !capabilities[need])
  return missing && `no options.capabilities.${missing}`
}

/** Otherwise a method that nobody has declared would not be tested. */
export function capabilitiesCase(capabilities: PetStoreCapabilities): StoreCase {
  return {
    name: 'has the methods of options.capabilities, and no others',
    async run(store) {
      for (const [capability, methods] of Object.entries(methodsOf)) {
        const declared = capabilities[capability as Capability] ?? false // a key of the table
        for (const method of methods)
          assert.equal(
            typeof store[method] === 'function',
            declared,
            declared
              ? `the store has no ${method}: implement it, or remove options.capabilities.${capability}`
              : `the store has ${method}: set options.capabilities.${capability} to true, so that it is tested`,
          )
      }
    },
  }
}
