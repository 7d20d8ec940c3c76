import { deepEqual, equal } from 'node:assert/strict'
import { requestHeaders } from './load.ts'
import type { Scenario } from './scenarios.ts'
import type { Server } from './server.ts'
import { key } from './world.ts'

/** Throws unless a server returns the response of the scenario. */
export async function verify(origin: string, scenario: Scenario): Promise<void> {
  const { method, status, responseBody } = scenario
  const response = await send(origin, scenario)
  const body: unknown = await response.json()
  equal(response.status, status)
  deepEqual(withoutNewId(body, method), withoutNewId(responseBody, method))
}

/** Throws unless two servers return the same headers, so that both write as many bytes. Their values may differ. */
export async function verifySameHeaders(ours: Server, bare: Server, scenario: Scenario): Promise<void> {
  deepEqual(await headerNames(bare.origin, scenario), await headerNames(ours.origin, scenario))
}

async function headerNames(origin: string, scenario: Scenario): Promise<readonly string[]> {
  const response = await send(origin, scenario)
  await response.arrayBuffer()
  return [...response.headers.keys()]
}

function send(origin: string, { method, target, requestBody }: Scenario): Promise<Response> {
  const body = requestBody !== undefined && { body: requestBody }
  return fetch(origin + target, { method, headers: requestHeaders, ...body })
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
