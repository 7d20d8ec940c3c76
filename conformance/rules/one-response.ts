import { acceptedInvalid, isInvalid, mostAcceptedInvalid } from '../transcript/creations.ts'
import { isGateway, keyRejection, type RecordedResponse } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { noEvidence, notRun } from './findings.ts'
import type { Finding } from './rule.ts'

/** Judges the response of one exchange, if there is one that can be judged. */
export function judgeResponse(
  transcript: Transcript,
  id: string,
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

function missing(transcript: Transcript, id: string): Finding {
  const rejected = keyRejection(transcript.exchanges)
  if (rejected) return noEvidence(`the key is rejected (${rejected})`)
  return transcript.endedEarly === undefined
    ? noEvidence(`the run found nothing to send ${id} for`)
    : notRun(transcript.endedEarly)
}

/** Judges the response of one creation with the key. A 403 is no evidence, as the interface leaves scopes open (section 5). */
export function judgeCreation(
  transcript: Transcript,
  id: string,
  judge: (recorded: RecordedResponse) => Finding,
): Finding {
  const isSent = transcript.exchanges.some((exchange) => exchange.id === id)
  if (!isSent && isInvalid(id) && acceptedInvalid(transcript) >= mostAcceptedInvalid) {
    return notRun(`${mostAcceptedInvalid} invalid bodies were accepted: no more were sent`)
  }
  return judgeResponse(transcript, id, (recorded) =>
    recorded.response.status === 403
      ? noEvidence('a 403 may mean that the key may not create animals', id)
      : judge(recorded),
  )
}
