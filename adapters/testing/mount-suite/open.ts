import assert from 'node:assert/strict'
import {
  createKeyStore,
  createPetService,
  operations,
  type PetService,
  type ServiceOptions,
  sha256,
} from '../../../core/index.ts'
import {
  assertLawful,
  type Mount,
  type OneTest,
  type Received,
  readCode,
  type Send,
  type Sent,
} from '../exchange.ts'

export const rex = '{"name":"Rex","categoryId":1}'
export const now: number = Date.UTC(2026, 10, 20, 12)

/** The Authorization header of each key of the test services, and of keys that they reject. */
export const auth = {
  /** Has more requests than any test sends. */
  zoo: ['Authorization', 'Bearer zoo-key'],
  free: ['Authorization', 'Bearer free-key'],
  small: ['Authorization', 'Bearer small-key'],
  expired: ['Authorization', 'Bearer expired-key'],
  unknown: ['Authorization', 'Bearer unknown-key'],
} as const

const keys = createKeyStore(
  [
    { id: 'zoo', sha256: sha256('zoo-key'), plan: 'enterprise', limits: { minute: 100_000, day: 1_000_000 } },
    { id: 'free', sha256: sha256('free-key'), plan: 'free' },
    { id: 'small', sha256: sha256('small-key'), plan: 'enterprise', limits: { minute: 2, day: 3 } },
    { id: 'expired', sha256: sha256('expired-key'), plan: 'pro', expiresAt: '2026-11-20' },
  ],
  { clock: () => now },
)

/** Creates a service with these keys. Its clock stands still by default. */
export function testService(options: Partial<ServiceOptions> = {}): PetService {
  return createPetService({ keys, clock: () => now, ...options })
}

/** Mounts such a service for one test, and checks the requirements of every response. */
export async function open(t: OneTest, mount: Mount, options: Partial<ServiceOptions> = {}): Promise<Send> {
  const { send, close } = await mount(testService(options))
  t.after(close)
  return async (sent = {}) => {
    const received = await send(sent)
    assertLawful(received, sent.method ?? 'GET')
    assertDescribed(received, sent)
    return received
  }
}

/** Asserts that the row of the operation has the status of a success, and a code that not all have. */
function assertDescribed(received: Received, { method = 'GET', target = '/v1/pets' }: Sent): void {
  const requested = target.replace(/^\/v1|\?.*$/g, '')
  const operation = operations.find(
    (one) => one.method === method && new RegExp(`^${one.path.replace(/\{\w+\}/, '[^/]+')}$`).test(requested),
  )
  if (!operation) return
  const { id, success, errors } = operation
  const code = received.status < 400 ? undefined : readCode(received)
  const ofSome: readonly unknown[] = operations.flatMap((one) => one.errors)
  if (code === undefined) assert.equal(received.status, success.status, id)
  else if (ofSome.includes(code))
    assert.ok(
      errors.some((own) => own === code),
      `${id} ${code}`,
    )
}

/** Returns a request that creates an animal. */
export function creation(body: string, ...headers: NonNullable<Sent['headers']>): Sent {
  return { method: 'POST', headers: [auth.zoo, ...headers], body }
}
