import { isRead, keyRejection, type RecordedResponse, typeProblem } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { broken, holds, noEvidence, notRun } from './findings.ts'
import type { Finding } from './rule.ts'

/** What a rule wants of each member of a set, such as every error response of the run. */
export interface Demand<T> {
  /** What the spec asks for, as a noun phrase. */
  readonly expected: string
  /** What is wrong with one, as a phrase that follows its exchange's id; `undefined` where nothing is. */
  readonly fault: (one: T) => string | undefined
  /** Why there may be none, as a clause. */
  readonly ifNone: string
  /** Responses that may hold members, and cannot be read: then the rule does not hold, whatever the others show. */
  readonly unread?: readonly RecordedResponse[]
}

/** Judges every member of a set alike: the first with a fault breaks the rule, and an empty set proves nothing. */
export function judgeEach<T extends { readonly id: string }>(
  transcript: Transcript,
  all: readonly T[],
  { expected, fault, ifNone, unread = [] }: Demand<T>,
): Finding {
  const faulty = all.flatMap((one) => {
    const found = fault(one)
    return found === undefined ? [] : [{ id: one.id, found }]
  })
  const [first] = faulty
  if (first !== undefined) {
    return broken(expected, `${first.id} ${first.found}`, ...idsOf(faulty))
  }
  if (unread.length > 0) return noEvidence('not every response can be read', ...idsOf(unread))
  if (all.length === 0) return nothing(transcript, ifNone)
  const ids = idsOf(all)
  return holds(`${expected}: so in ${ids.length === 1 ? ids[0] : `${ids.length} responses`}`, ...ids)
}

/** The ids of exchanges, each once. */
function idsOf(all: readonly { readonly id: string }[]): readonly string[] {
  return [...new Set(all.map(({ id }) => id))]
}

/** Judges the content type of every response that came whole (section 4). */
export function judgeTypes(
  transcript: Transcript,
  all: readonly RecordedResponse[],
  ifNone: string,
): Finding {
  return judgeEach(transcript, all.filter(isRead), {
    expected: 'content type application/json',
    fault: typeProblem,
    ifNone,
  })
}

/** The finding that weighs most. */
export function worst(findings: readonly Finding[]): Finding {
  const order: readonly Finding['outcome'][] = ['broken', 'not-run', 'no-evidence', 'not-applicable', 'holds']
  return findings.reduce((a, b) => (order.indexOf(b.outcome) < order.indexOf(a.outcome) ? b : a))
}

/** There was nothing to judge, for a reason that is the run's before it is the deployment's. */
export function nothing(transcript: Transcript, reason: string, ...exchanges: readonly string[]): Finding {
  const rejected = keyRejection(transcript.exchanges)
  if (rejected) return noEvidence(`the key is rejected (${rejected})`)
  return transcript.endedEarly === undefined
    ? noEvidence(reason, ...exchanges)
    : notRun(transcript.endedEarly, ...exchanges)
}
