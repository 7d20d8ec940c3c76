import { deepEqual, equal } from 'node:assert/strict'
import { requestHeaders } from './load.ts'
import type { Scenario } from './scenarios.ts'
import { key } from './world.ts'

/** Throws unless a server returns the response of the scenario. */
export async function verify(
  origin: string,
  { method, target, requestBody, status, responseBody }: Scenario,
): Promise<void> {
  const request = { method, headers: requestHeaders, ...(requestBody !== undefined && { body: requestBody }) }
  const response = await fetch(origin + target, request)
  const body: unknown = await response.json()
  equal(response.status, status)
  deepEqual(withoutNewId(body, method), withoutNewId(responseBody, method))
}

/** Removes the id from the body of a createPet response: it depends on the earlier requests. */
function withoutNewId(body: unknown, method: string): unknown {
  return method === 'POST' && typeof body === 'object' ? { ...body, id: undefined } : body
}

/** Throws unless a server returns 401 for a request without a key and for a request with an invalid key. */
export async function verifyKeyCheck(origin: string, { target }: Scenario): Promise<void> {
  for (const headers of [{}, { Authorization: `Bearer ${key}x` }]) {
    const response = await fetch(origin + target, { headers })
    await response.arrayBuffer()
    equal(response.status, 401)
  }
}
