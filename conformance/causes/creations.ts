import { creations, isInvalid, isPost, memberSent } from '../transcript/creations.ts'
import {
  errorWords,
  isSuccess,
  memberOf,
  type RecordedResponse,
  responsesTo,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { brokenIn, type FaultKind, fault, inBrackets, type OpenRule, repairable } from './cause.ts'

/** What happens to the bodies of createPet (section 4.2). */
export const creationFaults: readonly FaultKind[] = [
  fault({
    id: 'creations-rejected',
    shownBy(transcript) {
      const valid = creationsWithKey(transcript).filter(({ id }) => !isInvalid(id))
      return valid.every(({ response }) => response.status === 400) ? valid : []
    },
    title: ({ response }) => `Every valid creation is rejected with 400${inBrackets(errorWords(response))}`,
    advice:
      'name a category that accepts new animals with --category-id; if it exists, look at what the message names',
    explains: ({ id, outcome }) => id.startsWith('CREATE-') && outcome !== 'not-run',
  }),
  repairable({
    id: 'validation-status',
    least: 2,
    repair(recorded, run) {
      const { status } = recorded.response
      const isOther = status > 400 && status < 500 && ![401, 403, 429].includes(status)
      return isOther && invalidBodies(run).includes(recorded) ? { status: 400 } : undefined
    },
    title: ({ response }, faulty) =>
      `Invalid bodies are rejected with ${response.status} in place of 400: ${faulty.length} of them`,
    advice: 'return 400 for a body that is not valid; some frameworks return 422 or 415 by default',
  }),
  fault({
    id: 'no-validation',
    least: 2,
    fewest: 2,
    shownBy: (transcript) => invalidBodies(transcript).filter(({ response }) => isSuccess(response.status)),
    title: (_, accepted, run) =>
      `Invalid bodies are accepted: ${accepted.length} of ${invalidBodies(run).length}`,
    advice: 'validate the body by the schema of NewPet, types included, before anything is stored',
    explains: hasEvidenceIn,
  }),
  fault({
    id: 'validation-crash',
    least: 2,
    fewest: 2,
    shownBy: (transcript) => creationsWithKey(transcript).filter(({ response }) => response.status === 500),
    title: (_, crashed) => `The operation createPet returns 500 for ${crashed.length} bodies`,
    advice: 'look at the stack trace in the log; a body of another type than expected is a 400',
    explains: hasEvidenceIn,
  }),
]

/** An int64 that a double cannot represent is returned as the double next to it (section 2). */
export const roundedFault: FaultKind = fault({
  id: 'rounded-integers',
  shownBy: (transcript) =>
    creations(transcript).flatMap((creation) => {
      const sent = memberSent(creation.exchange, 'categoryId')
      const back = memberOf(creation, 'categoryId')
      if (typeof sent !== 'bigint' || sent === back || back !== BigInt(Number(sent))) return []
      return [{ id: creation.id, sent, back }]
    }),
  title: ({ sent, back }) => `Integers pass through a floating-point number: ${sent} is returned as ${back}`,
  advice: 'parse, store and write 64-bit integers as such; JSON.parse of JavaScript rounds them',
  explains: brokenIn('CREATE-21', 'CREATE-26'),
})

/** Whether a rule of createPet is broken by one of these responses. */
function hasEvidenceIn(
  { id, outcome, exchanges: [evidence] }: OpenRule,
  some: readonly RecordedResponse[],
): boolean {
  return id.startsWith('CREATE-') && outcome === 'broken' && some.some((one) => one.id === evidence)
}

function creationsWithKey(transcript: Transcript): readonly RecordedResponse[] {
  return responsesTo(transcript, 'key').filter(({ exchange }) => isPost(exchange))
}

function invalidBodies(transcript: Transcript): readonly RecordedResponse[] {
  return creationsWithKey(transcript).filter(({ id }) => isInvalid(id))
}
