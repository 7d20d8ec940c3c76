import { validCreations } from '../transcript/creations.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import { judgeCreation } from './one-response.ts'
import type { Finding, Rule } from './rule.ts'

const create = rulesOf('create')

/** Each rule, the body it is about, and the exchange that sends it. */
const invalidBodies = [
  ['CREATE-9', '`{}`', 'refuse-empty-object'],
  ['CREATE-10', 'without `name`', 'refuse-no-name'],
  ['CREATE-11', 'without `categoryId`', 'refuse-no-category'],
  ['CREATE-12', '`name` not a string', 'refuse-name-number'],
  ['CREATE-13', '`categoryId` a string', 'refuse-category-text'],
  ['CREATE-14', '`categoryId` with a fraction', 'refuse-category-fraction'],
  ['CREATE-15', 'an unknown `status`', 'refuse-status'],
  ['CREATE-16', 'malformed JSON', 'refuse-malformed'],
  ['CREATE-17', 'no body', 'refuse-no-body'],
  ['CREATE-18', 'JSON that is no object', 'refuse-array'],
  ['CREATE-19', '`null` for both required fields', 'refuse-nulls'],
  ['CREATE-20', '`categoryId` beyond int64', 'refuse-beyond-int64'],
] as const

/** Section 4.2: bodies that are to be rejected with 400. */
export const invalidBodyRules: readonly Rule[] = invalidBodies.map(([id, body, exchange]) =>
  create.must(id, '4.2', `${body}: 400`, (transcript) => judgeRejected(transcript, exchange)),
)

/** Where nothing is accepted, a rejection proves nothing about the fault. */
function judgeRejected(transcript: Transcript, exchange: string): Finding {
  return judgeCreation(transcript, exchange, ({ id, response: { status } }) => {
    if (status !== 400) return broken('status 400', `returned ${status}`, id)
    const [accepted] = validCreations(transcript)
    return accepted === undefined
      ? noEvidence('no valid body was accepted, so the 400 proves nothing', id)
      : holds('it was rejected with 400', id, accepted.id)
  })
}
