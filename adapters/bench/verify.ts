import { deepEqual, equal } from 'node:assert/strict'
import { requestHeaders } from './load.ts'
import type { Scenario } from './scenarios.ts'
import { key } from './world.ts'

/** Throws unless a server answers as the scenario says, and a stranger with a 401 (the bare one apart, which knows none). */
export async function verify(
  origin: string,
  { method, target, sent, status, answer }: Scenario,
): Promise<void> {
  const request = { method, headers: requestHeaders, ...(sent !== undefined && { body: sent }) }
  const response = await fetch(origin + target, request)
  const body: unknown = await response.json()
  equal(response.status, status)
  deepEqual(withoutNewId(body, method), withoutNewId(answer, method))
}

/** An id that was just assigned depends on what went before. */
function withoutNewId(body: unknown, method: string): unknown {
  return method === 'POST' && typeof body === 'object' ? { ...body, id: undefined } : body
}

/** Throws unless a server refuses a request without a key, and one with a wrong one. */
export async function verifyKeyCheck(origin: string, { target }: Scenario): Promise<void> {
  for (const headers of [{}, { Authorization: `Bearer ${key}x` }]) {
    const response = await fetch(origin + target, { headers })
    await response.arrayBuffer()
    equal(response.status, 401)
  }
}
