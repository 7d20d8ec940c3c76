import { isInvalid, isPost } from '../transcript/creations.ts'
import { errorWords } from '../transcript/quoted.ts'
import { isSuccess, type RecordedResponse, responsesTo } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import type { Explains, FaultKind } from './cause.ts'
import { repairable } from './repair.ts'

/** What happens to the bodies of createPet (section 4.2). */
export const creationFaults: readonly FaultKind[] = [
  {
    id: 'creations-rejected',
    find(transcript) {
      const valid = creationsWithKey(transcript).filter(({ id }) => !isInvalid(id))
      const [first] = valid
      if (first === undefined || !valid.every(({ response: { status } }) => status === 400)) return undefined
      const words = errorWords(first.response)
      return {
        title: `Every valid creation is rejected with 400${words === undefined ? '' : ` (${words})`}`,
        advice:
          'name a category that accepts new animals with --category-id; if it exists, look at what the message names',
        exchanges: valid.map(({ id }) => id),
        explains: {
          kind: 'condition',
          holds: ({ id, outcome }) => id.startsWith('CREATE-') && outcome !== 'not-run',
        },
      }
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
      if (accepted.length < 2) return undefined
      return {
        title: `Invalid bodies are accepted: ${accepted.length} of ${invalid.length}`,
        advice: 'validate the body by the schema of NewPet, types included, before anything is stored',
        exchanges: accepted.map(({ id }) => id),
        explains: evidenceAmong(accepted),
      }
    },
  },
  {
    id: 'validation-crash',
    least: 2,
    find(transcript) {
      const crashed = creationsWithKey(transcript).filter(({ response: { status } }) => status === 500)
      if (crashed.length < 2) return undefined
      return {
        title: `The operation createPet returns 500 for ${crashed.length} bodies`,
        advice: 'look at the stack trace in the log; a body of another type than expected is a 400',
        exchanges: crashed.map(({ id }) => id),
        explains: evidenceAmong(crashed),
      }
    },
  },
]

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
