import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalogue } from '../index.ts'
import { figuresSource } from './figures-source.ts'
import { recordTranscripts, rulesBrokenBy, tryMutations } from './try-mutations.ts'

const transcripts = await recordTranscripts()
const tried = tryMutations(transcripts)

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
  const detecting = new Set(tried.flatMap(({ brokenRules }) => brokenRules))
  const others = catalogue.filter(({ id }) => !detecting.has(id)).map(({ id }) => id)
  assert.deepEqual(others, [])
})

test('figures.ts is what print-figures.ts prints', () => {
  const file = readFileSync(new URL('figures.ts', import.meta.url), 'utf8')
  const hint = 'run node --import tsx conformance/sabotage/print-figures.ts --write, and read the difference'
  assert.equal(file, figuresSource(tried), hint)
})
