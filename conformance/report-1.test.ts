import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { judge, record, type Transcript } from './index.ts'
import { formatJson } from './report/formats.ts'
import { degenerateServers } from './testing/deployments/degenerate.ts'
import { createRunOptions } from './testing/deployments/trial.ts'
import { buildTranscript } from './testing/recorded.ts'
import { sample } from './testing/sample.ts'

const schema: unknown = JSON.parse(readFileSync(new URL('report-1.json', import.meta.url), 'utf8'))

/** Forbids members that the schema does not describe. */
function closeSchema(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closeSchema)
  if (typeof part !== 'object' || part === null) return part
  const members = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closeSchema(value)]))
  return members.type === 'object' ? { ...members, additionalProperties: false } : members
}

const ajv = new Ajv2020({ strict: true, strictRequired: false, formats: { 'date-time': true, uri: true } })
const validate = ajv.compile(closeSchema(schema) as object) // an object, as the input is one

/** Records runs against a conforming deployment and against degenerate ones. */
async function recordTranscripts(): Promise<readonly Transcript[]> {
  const conformingOptions = createRunOptions({ does: 'conforms' }, 'all')
  const allTranscripts = [
    buildTranscript('all', { list: { error: 'reset' } }, { plan: 'free', categoryId: '-7' }),
  ]
  for (const fetch of [conformingOptions.fetch, ...degenerateServers.map(({ handler }) => handler)])
    allTranscripts.push(await record({ ...conformingOptions, profile: 'create', fetch, timeoutMs: 50 }))
  return allTranscripts
}

test('report-1.json describes every member in a report', async () => {
  const sampleReports = (await recordTranscripts()).map((transcript) =>
    judge(transcript, { knownFailures: [{ rule: 'LIST-1', reason: 'known' }] }),
  )
  for (const report of [...sampleReports, sample])
    assert.ok(validate(JSON.parse(formatJson(report))), ajv.errorsText(validate.errors))
})

test('report-1.json rejects invalid reports', () => {
  const { rules, ...rest } = sample
  const [exchange] = sample.exchanges
  const [rule, ...others] = rules
  for (const spoilt of [
    rest,
    { ...sample, summary: { ...sample.summary, fail: -1 } },
    { ...sample, rules: [{ ...rule, verdict: 'good' }, ...others] },
    { ...sample, exchanges: [{ ...exchange, response: undefined }] },
    { ...sample, another: true },
  ])
    assert.ok(!validate(JSON.parse(JSON.stringify(spoilt))), Object.keys(spoilt).join())
})
