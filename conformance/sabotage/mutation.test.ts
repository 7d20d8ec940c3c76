import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue, record, type Transcript } from '../index.ts'
import { getting, say, withHeaders } from './change.ts'
import { legalTimes } from './legal/time.ts'
import { mutations } from './mutations.ts'
import { trialOptions } from './trial.ts'
import type { Variant } from './variant.ts'

const deprecated: Variant = {
  does: 'deprecates getPet, and knows its plan',
  plan: 'free',
  change: say(getting, (reply) =>
    withHeaders(reply, { deprecation: '@1795132800', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }),
  ),
}
const removed = legalTimes.find(({ start }) => start !== undefined) ?? deprecated

/** The rules that a transcript breaks. */
function brokenBy(transcript: Transcript): readonly string[] {
  return catalogue.filter((rule) => rule.judge(transcript).outcome === 'broken').map(({ id }) => id)
}

const good = await Promise.all([deprecated, removed].map((variant) => record(trialOptions(variant, 'all'))))

test('the transcripts that are mutated break no rule', () => {
  for (const transcript of good) assert.deepEqual(brokenBy(transcript), [])
})

test('what is left out of a transcript accuses nobody', () => {
  for (const transcript of good) {
    for (const { id } of transcript.exchanges) {
      const less = { ...transcript, exchanges: transcript.exchanges.filter((exchange) => exchange.id !== id) }
      assert.deepEqual(brokenBy(less), [], `without ${id}`)
    }
  }
})

const caught = mutations.map(({ does, mutants }) => {
  const found = good.flatMap(mutants).map(brokenBy)
  return {
    does,
    mutants: found.length,
    noticed: found.filter((rules) => rules.length > 0).length,
    rules: new Set(found.flat()),
  }
})

test('every rule is broken by some mutation', () => {
  const tripped = new Set(caught.flatMap(({ rules }) => [...rules]))
  assert.deepEqual(
    catalogue.filter(({ id }) => !tripped.has(id)).map(({ id }) => id),
    [],
  )
})

test('each mutation breaks the rules that speak of it', () => {
  console.log(caught)
})
