import assert from 'node:assert/strict'
import type { PetService } from '../../core/index.ts'
import { json, type Received } from '../../core/testing/service-request.ts'

export { joined, json, type Received, readCode } from '../../core/testing/service-request.ts'

/** A request of a test; by default `GET /v1/pets` without a key. */
export interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Uint8Array
}

export type Send = (sent?: Sent) => Promise<Received>

/** A service behind a mount, which accepts requests until it is closed. */
export interface Mounted {
  readonly send: Send
  close(): Promise<void>
}

/** A way to mount a service. */
export type Mount = (service: PetService) => Promise<Mounted>

/** A running test. */
export interface OneTest {
  /** Adds work to do after the test, whether it passed or failed. */
  after(work: () => Promise<void>): void
}

/** The part of a test runner that the suite needs. It is a parameter since not every runtime has all of node:test. */
export interface Runner {
  describe(name: string, body: () => void): unknown
  it(name: string, body: (t: OneTest) => Promise<void>): unknown
}

/**
 * Asserts the requirements of every response: the three numbers, JSON if it has a body, and an Error if its status is
 * one of an error.
 */
export function assertLawful(received: Received, method: string): void {
  const { status, headers, text } = received
  const shown = `${status} ${text}`
  const [limit = -1, remaining = -1, reset = -1] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`) ?? 'absent'
    assert.match(value, /^\d+$/, `x-ratelimit-${name} of ${shown}`)
    return Number(value)
  })
  assert.ok(remaining <= limit && limit > 0 && reset > 0, shown)
  assert.equal(headers.get('content-type'), status === 204 ? undefined : 'application/json', shown)
  if (method === 'HEAD') assert.equal(text, '')
  else if (status >= 400) {
    const error = json<{ code: string; message: string; status: number }>(received)
    assert.deepEqual(Object.keys(error), ['code', 'message', 'status'])
    assert.match(error.code, /^[a-z_]+$/)
    assert.ok(error.message.length > 0)
    assert.equal(error.status, status)
    // RFC 6750, 3: the challenge names an error only to a client that has sent a key.
    const invalid = error.code === 'invalid_api_key' ? ', error="invalid_token"' : ''
    const challenge = status === 401 ? `Bearer realm="pet-adoption-service"${invalid}` : undefined
    assert.equal(headers.get('www-authenticate'), challenge)
  }
  if (status === 429 || status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, shown)
}
