import assert from 'node:assert/strict'
import { assertLawful, type Received } from '../exchange.ts'

/** How often each status occurred. */
export type Tally = Map<number, number>

/** Asserts what every response must have: it is well formed and no 5xx. */
export function judge(response: Received, tally: Tally): void {
  tally.set(response.status, (tally.get(response.status) ?? 0) + 1)
  assert.ok(response.status < 500, `${response.status} ${response.text}`)
  assertLawful(response, response.text === '' ? 'HEAD' : 'GET')
}
