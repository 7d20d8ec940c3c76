import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { judge, record, type Transcript } from './index.ts'
import { json } from './report/formats.ts'
import { degenerate } from './testing/deployments/degenerate.ts'
import { trialOptions } from './testing/deployments/trial.ts'
import { recorded } from './testing/recorded.ts'
import { sample } from './testing/sample.ts'

const schema: unknown = JSON.parse(readFileSync(new URL('report-1.json', import.meta.url), 'utf8'))

/** The schema with no room for members that it does not name. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed)
  if (typeof part !== 'object' || part === null) return part
  const members = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]))
  return members.type === 'object' ? { ...members, additionalProperties: false } : members
}

const ajv = new Ajv2020({ strict: true })
const validate = ajv.compile(closed(schema) as object) // the schema is one

/** Transcripts of runs against the reference deployment, and against servers that are broken in many ways. */
async function transcripts(): Promise<readonly Transcript[]> {
  const conforming = trialOptions({ does: 'conforms' }, 'all')
  const all = [recorded('all', { list: { error: 'reset' } }, { plan: 'free', categoryId: '-7' })]
  for (const fetch of [conforming.fetch, ...degenerate.map(({ handler }) => handler)])
    all.push(await record({ ...conforming, profile: 'create', fetch, timeoutMs: 50 }))
  return all
}

test('reports of real runs fit the JSON Schema exactly', async () => {
  const reports = (await transcripts()).map((transcript) =>
    judge(transcript, { knownFailures: [{ rule: 'LIST-1', reason: 'known' }] }),
  )
  for (const report of [...reports, sample])
    assert.ok(validate(JSON.parse(json(report))), ajv.errorsText(validate.errors))
})

test('a report with a missing or mistyped member does not fit', () => {
  const { rules, ...rest } = sample
  const [rule, ...others] = rules
  for (const spoilt of [
    rest,
    { ...sample, summary: { ...sample.summary, fail: -1 } },
    { ...sample, rules: [{ ...rule, verdict: 'good' }, ...others] },
    { ...sample, exchanges: [{ id: 'list' }] },
    { ...sample, another: true },
  ])
    assert.ok(!validate(JSON.parse(JSON.stringify(spoilt))), Object.keys(spoilt).join())
})
