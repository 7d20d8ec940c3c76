import assert from 'node:assert/strict'
import {
  type Caller,
  type KeyRecord,
  type KeyStore,
  type MaybePromise,
  plans,
  sha256,
} from '../../../core/index.ts'
import type { CaseClock } from '../rate-limiter/cases.ts'
import type { ContractCase } from '../runner.ts'

/** A key store under test. */
export interface KeyBench {
  readonly clock: CaseClock
  /** Adds the key `token`: of the id `shelter` and the plan `pro`, unless `more` has others. */
  add(token: string, more?: Partial<KeyRecord>): Promise<void>
  revoke(token: string): Promise<void>
  find(token: string): Promise<Caller | undefined>
}

export interface KeyStoreCase extends ContractCase<KeyBench> {
  /** What the case requires. */
  readonly needs?: readonly ('clock' | 'revokeKey')[]
}

/** How the keys of a store are changed. */
interface KeyChanges<Store> {
  addKey(store: Store, key: KeyRecord): MaybePromise<void>
  readonly revokeKey: ((store: Store, sha256: string) => MaybePromise<void>) | undefined
}

/** Creates the bench of one case. */
export function createKeyBench<Store extends KeyStore>(
  store: Store,
  clock: CaseClock,
  { addKey, revokeKey }: KeyChanges<Store>,
): KeyBench {
  return {
    clock,
    async add(token, more) {
      const createdAt = new Date(clock.now()).toISOString()
      await addKey(store, { id: 'shelter', plan: 'pro', sha256: sha256(token), createdAt, ...more })
    },
    revoke: async (token) => revokeKey?.(store, sha256(token)),
    find: async (token) => store.find(token),
  }
}

/** Asserts that a caller was found, with these members, and with no limits but those of its plan. */
export function assertCaller(found: Caller | undefined, expected: Caller, message?: string): void {
  assert.ok(found, message ?? `no caller was found for a key of ${expected.id}`)
  assert.deepEqual({ id: found.id, plan: found.plan }, { id: expected.id, plan: expected.plan }, message)
  const { minute, day } = expected.limits ?? limitsOfPlan(expected)
  const limits = found.limits ?? limitsOfPlan(found)
  assert.deepEqual({ minute: limits.minute, day: limits.day }, { minute, day }, message)
}

function limitsOfPlan({ id, plan }: Caller): { readonly minute: number; readonly day: number } {
  assert.notEqual(plan, 'enterprise', `${id} has no limits`)
  return plan === 'enterprise' ? { minute: 0, day: 0 } : plans[plan]
}
