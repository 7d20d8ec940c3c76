import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalogue } from '../index.ts'
import { countFigures, documents, snapshotText, withFigures } from './snapshot.ts'
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

const hint = 'run node --import tsx conformance/sabotage/write-snapshot.ts, and read the difference'

test('snapshot.txt has the rules, the figures and what detects each mutation as they are', () => {
  assert.equal(readFileSync(new URL('snapshot.txt', import.meta.url), 'utf8'), snapshotText(tried), hint)
})

for (const document of documents) {
  test(`the figures that ${document} quotes are those of the snapshot`, () => {
    const text = readFileSync(new URL(document, import.meta.url), 'utf8')
    assert.match(text, /<!-- figure rules -->\d/)
    assert.equal(text, withFigures(text, countFigures(tried)), hint)
    const quoted = [...text.matchAll(/<!-- figure (\S+) -->/g)].map(([, name = '']) => name)
    assert.deepEqual(
      quoted.filter((name) => !(name in countFigures(tried))),
      [],
    )
  })
}
