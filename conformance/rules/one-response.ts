import { stepOf } from '../steps/phases.ts'
import type { StepId } from '../steps/step.ts'
import { mostRequests } from '../transcript/bounds.ts'
import { acceptedInvalid, isInvalid, mostAcceptedInvalid } from '../transcript/creations.ts'
import { isGateway, keyRejection, type RecordedResponse } from '../transcript/responses.ts'
import { countRequests, type Transcript } from '../transcript/transcript.ts'
import { noEvidence, notRun } from './findings.ts'
import type { Finding } from './rule.ts'

/** Judges the response of one exchange, if there is one that can be judged. */
export function judgeResponse(
  transcript: Transcript,
  id: StepId,
  judge: (recorded: RecordedResponse) => Finding,
): Finding {
  const exchange = transcript.exchanges.find((candidate) => candidate.id === id)
  if (exchange === undefined) return missing(transcript, id)
  const { outcome, credential } = exchange
  if (outcome.kind === 'error') return noEvidence(`no response came: ${outcome.error}`, id)
  const { response } = outcome
  if (isGateway(response.status)) {
    return noEvidence(`the ${response.status} may come from a gateway`, id)
  }
  if (response.status === 429) return notRun('the 429 ended the run', id)
  if (credential === 'key') {
    if (keyRejection(transcript.exchanges)) return noEvidence(`the key is rejected (${response.status})`, id)
    if (response.status === 401) return noEvidence('the key was rejected here: see AUTH-9', id)
  }
  return judge({ id, exchange, response })
}

function missing(transcript: Transcript, id: StepId): Finding {
  const { endedEarly, exchanges, profile } = transcript
  const rejected = keyRejection(exchanges)
  if (rejected) return noEvidence(`the key is rejected (${rejected})`)
  if (endedEarly !== undefined) return notRun(endedEarly)
  if (isInvalid(id) && acceptedInvalid(transcript) >= mostAcceptedInvalid) {
    return notRun(`${mostAcceptedInvalid} invalid bodies were accepted: no more were sent`)
  }
  const bound = mostRequests[profile]
  return countRequests(transcript) >= bound && stepOf(id)?.when === undefined
    ? notRun(`the bound of ${bound} requests left no room for ${id}`)
    : noEvidence(`the run found nothing to send ${id} for`)
}

/** Returns the first of several ids whose exchange is in the transcript; the first one if none is. */
export function firstSent({ exchanges }: Transcript, id: StepId, ...others: readonly StepId[]): StepId {
  return [id, ...others].find((candidate) => exchanges.some((exchange) => exchange.id === candidate)) ?? id
}

/** Judges the response of one creation with the key. A 403 is no evidence, as the interface leaves scopes open (section 5). */
export function judgeCreation(
  transcript: Transcript,
  id: StepId,
  judge: (recorded: RecordedResponse) => Finding,
): Finding {
  return judgeResponse(transcript, id, (recorded) =>
    recorded.response.status === 403
      ? noEvidence('a 403 may mean that the key may not create animals', id)
      : judge(recorded),
  )
}
