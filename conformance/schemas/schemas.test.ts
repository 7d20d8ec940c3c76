import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { judge, readTranscript, record, writeTranscript } from '../index.ts'
import { sample } from '../report/testing/sample.ts'
import { degenerate } from '../sabotage/degenerate.ts'
import { trialOptions } from '../sabotage/trial.ts'
import { recorded } from '../testing/recorded.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { schemaFiles } from './files.ts'
import { schemaProblem } from './problem.ts'
import { reportSchema } from './report.ts'
import type { Schema } from './schema.ts'
import { edits } from './testing/edits.ts'
import { transcriptSchema } from './transcript.ts'

const ajv = new Ajv2020({ strict: true })
/** Validates a document that has no member besides those of its schema. */
const closed = (schema: Schema): ValidateFunction =>
  ajv.compile({ ...close(schema), $id: `${schema.$id}-closed` })

function close(schema: Schema): Schema {
  const { properties, items, oneOf } = schema
  return {
    ...schema,
    ...(items && { items: close(items) }),
    ...(oneOf && { oneOf: oneOf.map(close) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, close(one)])),
      additionalProperties: false,
    }),
  }
}

const closedTranscript = closed(transcriptSchema)
const closedReport = closed(reportSchema)
const open = { transcript: ajv.compile(transcriptSchema), report: ajv.compile(reportSchema) }
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Transcripts of runs against the reference deployment, and against servers that are broken in many ways. */
async function transcripts(): Promise<readonly Transcript[]> {
  const all = [await record(trialOptions(reference, 'all'))]
  for (const { handler } of degenerate)
    all.push(await record({ ...trialOptions(reference, 'create'), fetch: handler, timeoutMs: 50 }))
  return [...all, recorded('all', { list: { error: 'reset' } }, { plan: 'free', categoryId: '-7' })]
}

const reference = { does: 'conforms', change: {} }

describe('the JSON Schemas', () => {
  for (const [name, schema] of Object.entries(schemaFiles)) {
    it(`${name} is the schema of the sources`, () => {
      assert.deepEqual(JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')), asJson(schema))
    })
  }

  it('transcripts and reports of real runs fit, and have no member that their schema lacks', async () => {
    for (const transcript of await transcripts()) {
      const report = judge(transcript, { knownFailures: [{ rule: 'LIST-1', reason: 'known' }] })
      assert.ok(closedTranscript(asJson(transcript)), ajv.errorsText(closedTranscript.errors))
      assert.ok(closedReport(asJson(report)), ajv.errorsText(closedReport.errors))
      assert.deepEqual(readTranscript(writeTranscript(transcript)), asJson(transcript))
    }
    assert.ok(closedReport(asJson(sample)), ajv.errorsText(closedReport.errors))
  })

  it('a document that is changed anywhere fits the schema by both validators, or by neither', () => {
    const documents = {
      transcript: asJson(recorded('read', {}, { network: { proxy: 'http://p' } })),
      report: asJson({ ...sample, exchanges: sample.exchanges.slice(0, 2), rules: sample.rules.slice(0, 8) }),
    }
    for (const name of ['transcript', 'report'] as const) {
      fc.assert(
        fc.property(edits(documents[name]), (edited) => {
          const schema = name === 'transcript' ? transcriptSchema : reportSchema
          assert.equal(schemaProblem(edited, schema) === undefined, open[name](edited))
        }),
        { numRuns: 500 },
      )
    }
  })
})
