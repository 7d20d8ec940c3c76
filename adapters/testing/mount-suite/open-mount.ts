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
  assertConforms,
  type Mount,
  readCode,
  type Send,
  type SentRequest,
  type TestCleanup,
  type TestResponse,
} from '../exchange.ts'

export const rex = '{"name":"Rex","categoryId":1}'
export const now: number = Date.UTC(2026, 10, 20, 12)

/** An `Authorization` header for each key in the test service, and for keys that it rejects. */
export const authHeaders = {
  /** A key whose limit no test reaches. */
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

/** Creates a service with the test keys. Its clock does not move by default. */
export function createTestService(options: Partial<ServiceOptions> = {}): PetService {
  return createPetService({ keys, clock: () => now, ...options })
}

/** Mounts a service, and closes it after the test. Every response is checked. */
export async function openMount(
  t: TestCleanup,
  mount: Mount,
  options: Partial<ServiceOptions> = {},
): Promise<Send> {
  const { send, close } = await mount(createTestService(options))
  t.after(close)
  return async (sent = {}) => {
    const receivedResponse = await send(sent)
    assertConforms(receivedResponse, sent.method ?? 'GET')
    assertDocumented(receivedResponse, sent)
    return receivedResponse
  }
}

/**
 * Asserts that a response's status and error code are documented for its operation. Codes that every operation may
 * return are not checked.
 */
function assertDocumented(
  received: TestResponse,
  { method = 'GET', target = '/v1/pets' }: SentRequest,
): void {
  const requestedPath = target.replace(/^\/v1|\?.*$/g, '')
  const operation = operations.find(
    (one) =>
      one.method === method && new RegExp(`^${one.path.replace(/\{\w+\}/, '[^/]+')}$`).test(requestedPath),
  )
  if (!operation) return
  const { id, success, errors } = operation
  const errorCode = received.status < 400 ? undefined : readCode(received)
  const documentedCodes: readonly unknown[] = operations.flatMap((one) => one.errors)
  if (errorCode === undefined) assert.equal(received.status, success.status, id)
  else if (documentedCodes.includes(errorCode))
    assert.ok(
      errors.some((own) => own === errorCode),
      `${id} ${errorCode}`,
    )
}

/** Creates a request that creates an animal. */
export function toCreateRequest(body: string, ...headers: NonNullable<SentRequest['headers']>): SentRequest {
  return { method: 'POST', headers: [authHeaders.zoo, ...headers], body }
}
