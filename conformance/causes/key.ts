import { errorWords, keyRejection, responsesTo } from '../transcript/responses.ts'
import { requestName } from '../transcript/transcript.ts'
import { everyUndecided, type FaultKind } from './cause.ts'

/** The deployment does not accept the key, or the key is at its limit. */
export const keyFaults: readonly FaultKind[] = [
  {
    id: 'key-rejected',
    find(transcript) {
      const status = keyRejection(transcript.exchanges)
      const rejected = responsesTo(transcript, 'key').find(({ response }) => response.status === status)
      if (status === undefined || rejected === undefined) return undefined
      const words = errorWords(rejected.response)
      return {
        title: `The key is rejected with ${status}${words === undefined ? '' : ` (${words})`}`,
        advice:
          status === 401
            ? 'give a key that this deployment has issued and that is not expired, in PET_ADOPTION_API_KEY'
            : 'give a key that may list animals, or ask what in front of the deployment rejects the request',
        exchanges: [rejected.id],
        explains: everyUndecided,
      }
    },
  },
  {
    id: 'limit-reached',
    find(transcript) {
      const last = transcript.exchanges.at(-1)
      if (transcript.endedEarly === undefined || last?.outcome.kind !== 'response') return undefined
      if (last.outcome.response.status !== 429) return undefined
      return {
        title: `${requestName(last)} returned 429, and the run ended`,
        advice: 'wait until the limit resets, use a key that nothing else uses, or lower --pace',
        exchanges: [last.id],
        explains: { kind: 'condition', holds: ({ outcome }) => outcome === 'not-run' },
      }
    },
  },
]
