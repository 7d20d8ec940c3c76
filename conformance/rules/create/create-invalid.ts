import { creatingSteps } from '../../steps/steps-create.ts'
import { validCreations } from '../../transcript/creations.ts'
import { requestName } from '../../transcript/transcript.ts'
import { rulesOf } from '../define.ts'
import { broken, holds, noEvidence, onCreation, worstOf } from '../judging.ts'
import type { Judge, Rule } from '../rule.ts'

const create = rulesOf('create')

/** Each rule with its statement and its bodies. The steps that send them name the rule. */
const invalidBodies = [
  ['CREATE-9', 's4-2-required-fields', 'the body `{}`'],
  ['CREATE-10', 's4-2-required-fields', 'no `name`'],
  ['CREATE-11', 's4-2-required-fields', 'no `categoryId`'],
  ['CREATE-12', 's4-2-invalid-name', 'a `name` that is not a string'],
  ['CREATE-13', 's4-2-invalid-category', 'a string or `true` as `categoryId`'],
  ['CREATE-14', 's4-2-invalid-category', 'a fraction as `categoryId`'],
  ['CREATE-15', 's4-2-invalid-status', 'an unknown `status`'],
  ['CREATE-16', 's4-2-not-json', 'malformed JSON, or text behind a valid document,'],
  ['CREATE-17', 's4-2-no-body', 'no body'],
  ['CREATE-18', 's4-2-not-an-object', 'JSON that is no object (an array, `null`, a number, a string)'],
  ['CREATE-19', 's4-2-null', '`null` for both required fields, or for one of them,'],
  ['CREATE-20', 's4-2-invalid-category', 'a `categoryId` beyond int64, above or below,'],
] as const

/** Section 4.2: each of these bodies returns 400. */
export const invalidBodyRules: readonly Rule[] = [
  ...invalidBodies.map(([id, statement, body]) =>
    create.must(id, statement, `createPet with ${body} returns 400`, rejects(id)),
  ),
  create.should(
    'CREATE-27',
    's4-2-status-type',
    'createPet with a `status` of `null` or of a number returns 400',
    rejects('CREATE-27'),
  ),
]

/** If no valid body is accepted, a 400 is no evidence: it may have another cause. */
function rejects(rule: string): Judge {
  const judges = creatingSteps
    .filter(({ creates, judgedBy }) => creates === 'invalid' && judgedBy?.includes(rule))
    .map((step) =>
      onCreation(step.id, ({ id, exchange, status }, transcript) => {
        if (status !== 400) return broken('status 400', `${requestName(exchange)} returned ${status}`)
        const [accepted] = validCreations(transcript)
        return accepted === undefined
          ? noEvidence('no valid body was accepted, so the 400 is no evidence')
          : holds('it was rejected with 400', id, accepted.id)
      }),
    )
  return worstOf(...judges)
}
