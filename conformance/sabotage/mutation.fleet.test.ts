import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from '../index.ts'
import { mutations } from './mutations.ts'
import { recordTranscripts, rulesBrokenBy } from './try-mutations.ts'

const transcripts = await recordTranscripts()

test('the transcripts that are mutated break no rule', () => {
  for (const transcript of transcripts) assert.deepEqual(rulesBrokenBy(transcript), [])
})

test('a transcript without one of its exchanges breaks no rule', () => {
  for (const transcript of transcripts) {
    for (const { id } of transcript.exchanges) {
      const exchanges = transcript.exchanges.filter((exchange) => exchange.id !== id)
      assert.deepEqual(rulesBrokenBy({ ...transcript, exchanges }), [], `without ${id}`)
    }
  }
})

test('every rule detects a mutation', () => {
  const mutants = Object.values(mutations).flatMap((falsify) => transcripts.flatMap(falsify))
  const detecting = new Set(mutants.flatMap(rulesBrokenBy))
  const others = catalogue.filter(({ id }) => !detecting.has(id)).map(({ id }) => id)
  assert.deepEqual(others, [])
})
