import assert from 'node:assert/strict'
import type { PetService } from '../../core/index.ts'
import { parseJsonText, type TestResponse } from '../../core/testing/service-request.ts'

export { joinFields, parseJsonText, readCode, type TestResponse } from '../../core/testing/service-request.ts'

/** A request to a mount. By default, it lists animals without an API key. */
export interface SentRequest {
  readonly method?: string
  readonly target?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Uint8Array
}

export type Send = (sent?: SentRequest) => Promise<TestResponse>

/** A mounted service. */
export interface MountedService {
  readonly send: Send
  close(): Promise<void>
}

/** Mounts a service. */
export type Mount = (service: PetService) => Promise<MountedService>

/** The test context members that the suites use. */
export interface TestCleanup {
  /** Runs work after the test. */
  after(work: () => Promise<void>): void
}

/**
 * The test runner functions that the suites use. They are passed in, because some runtimes do not have all of
 * `node:test`.
 */
export interface TestRunner {
  describe(name: string, body: () => void): unknown
  it(name: string, body: (t: TestCleanup) => Promise<void>): unknown
}

/** Asserts what every response must have: rate limit headers, a content type and valid error members. */
export function assertConforms(received: TestResponse, method: string): void {
  const { status, headers, text } = received
  const shownResponse = `${status} ${text}`
  const [limit = -1, remaining = -1, reset = -1] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`) ?? 'absent'
    assert.match(value, /^\d+$/, `x-ratelimit-${name} of ${shownResponse}`)
    return Number(value)
  })
  assert.ok(remaining <= limit && limit > 0 && reset > 0, shownResponse)
  assert.equal(headers.get('content-type'), status === 204 ? undefined : 'application/json', shownResponse)
  if (method === 'HEAD') assert.equal(text, '')
  else if (status >= 400) {
    const error = parseJsonText<{ code: string; message: string; status: number }>(received)
    assert.deepEqual(Object.keys(error), ['code', 'message', 'status'])
    assert.match(error.code, /^[a-z_]+$/)
    assert.ok(error.message.length > 0)
    assert.equal(error.status, status)
    // The challenge names an error only if the client has sent a key (RFC 6750, section 3).
    const invalidTokenParameter = error.code === 'invalid_api_key' ? ', error="invalid_token"' : ''
    const challenge =
      status === 401 ? `Bearer realm="pet-adoption-service"${invalidTokenParameter}` : undefined
    assert.equal(headers.get('www-authenticate'), challenge)
  }
  if (status === 429 || status === 503)
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, shownResponse)
}
