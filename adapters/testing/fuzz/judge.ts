import assert from 'node:assert/strict'
import { assertLawful, type Received } from '../exchange.ts'

/** How often each status came. */
export type Tally = Map<number, number>

/** Asserts what must hold of an answer to any request at all: it is well formed, and no failure of ours. */
export function judge(answer: Received, tally: Tally): void {
  tally.set(answer.status, (tally.get(answer.status) ?? 0) + 1)
  assert.ok(answer.status < 500, `${answer.status} ${answer.text}`)
  assertLawful(answer, answer.text === '' ? 'HEAD' : 'GET')
}
