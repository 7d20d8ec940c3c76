import { creations, isInvalid, isPost, memberSent } from '../transcript/creations.ts'
import {
  errorWords,
  isSuccess,
  memberOf,
  type RecordedResponse,
  responsesTo,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { brokenIn, type Explains, type FaultKind, shownBy } from './cause.ts'
import { repairable } from './repair.ts'

/** What happens to the bodies of createPet (section 4.2). */
export const creationFaults: readonly FaultKind[] = [
  {
    id: 'creations-rejected',
    find(transcript) {
      const valid = creationsWithKey(transcript).filter(({ id }) => !isInvalid(id))
      if (!valid.every(({ response: { status } }) => status === 400)) return undefined
      return shownBy(valid, ({ response }) => {
        const words = errorWords(response)
        return {
          title: `Every valid creation is rejected with 400${words === undefined ? '' : ` (${words})`}`,
          advice:
            'name a category that accepts new animals with --category-id; if it exists, look at what the message names',
          explains: {
            kind: 'condition',
            holds: ({ id, outcome }) => id.startsWith('CREATE-') && outcome !== 'not-run',
          },
        }
      })
    },
  },
  {
    id: 'validation-status',
    least: 2,
    find(transcript) {
      const rejected = new Set(
        invalidBodies(transcript).filter(
          ({ response: { status } }) => status > 400 && status < 500 && ![401, 403, 429].includes(status),
        ),
      )
      return repairable(
        transcript,
        (recorded) => (rejected.has(recorded) ? { status: 400 } : undefined),
        (faulty) => ({
          title: `Invalid bodies are rejected with ${faulty[0].response.status} in place of 400: ${faulty.length} of them`,
          advice: 'return 400 for a body that is not valid; some frameworks return 422 or 415 by default',
        }),
      )
    },
  },
  {
    id: 'no-validation',
    least: 2,
    find(transcript) {
      const invalid = invalidBodies(transcript)
      const accepted = invalid.filter(({ response: { status } }) => isSuccess(status))
      return shownBy(
        accepted,
        () => ({
          title: `Invalid bodies are accepted: ${accepted.length} of ${invalid.length}`,
          advice: 'validate the body by the schema of NewPet, types included, before anything is stored',
          explains: evidenceAmong(accepted),
        }),
        2,
      )
    },
  },
  {
    id: 'validation-crash',
    least: 2,
    find(transcript) {
      const crashed = creationsWithKey(transcript).filter(({ response: { status } }) => status === 500)
      return shownBy(
        crashed,
        () => ({
          title: `The operation createPet returns 500 for ${crashed.length} bodies`,
          advice: 'look at the stack trace in the log; a body of another type than expected is a 400',
          explains: evidenceAmong(crashed),
        }),
        2,
      )
    },
  },
]

/** An int64 that a double cannot represent is returned as the double next to it (section 2). */
export const roundedFault: FaultKind = {
  id: 'rounded-integers',
  find(transcript) {
    const rounded = creations(transcript).flatMap((creation) => {
      const sent = memberSent(creation.exchange, 'categoryId')
      const back = memberOf(creation, 'categoryId')
      if (typeof sent !== 'bigint' || sent === back || back !== BigInt(Number(sent))) return []
      return [{ id: creation.id, sent, back }]
    })
    return shownBy(rounded, ({ sent, back }) => ({
      title: `Integers pass through a floating-point number: ${sent} is returned as ${back}`,
      advice: 'parse, store and write 64-bit integers as such; JSON.parse of JavaScript rounds them',
      explains: brokenIn('CREATE-21', 'CREATE-26'),
    }))
  },
}

/** Broken rules of createPet, the evidence of which is one of these responses. */
function evidenceAmong(some: readonly RecordedResponse[]): Explains {
  const ids = new Set(some.map(({ id }) => id))
  return {
    kind: 'condition',
    holds: ({ id, outcome, exchanges: [evidence = ''] }) =>
      id.startsWith('CREATE-') && outcome === 'broken' && ids.has(evidence),
  }
}

function creationsWithKey(transcript: Transcript): readonly RecordedResponse[] {
  return responsesTo(transcript, 'key').filter(({ exchange }) => isPost(exchange))
}

function invalidBodies(transcript: Transcript): readonly RecordedResponse[] {
  return creationsWithKey(transcript).filter(({ id }) => isInvalid(id))
}
