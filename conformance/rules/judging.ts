import type { Place } from '../transcript/place.ts'
import { isRead, keyRejection, type RecordedResponse, typeProblem } from '../transcript/responses.ts'
import { requestName, type Transcript } from '../transcript/transcript.ts'
import { broken, brokenAt, holds, noEvidence, notRun } from './findings.ts'
import type { Finding } from './rule.ts'

/** What is wrong with a response, as a phrase after the id of its exchange, and which part of it is. */
export interface PlacedProblem {
  readonly text: string
  readonly at: Place
}

/** What a rule requires of each member of a set, such as every error of the run. */
export interface Requirement<T> {
  /** What the interface requires, as a noun phrase. */
  readonly expected: string
  /** Returns what is wrong with a member, as a phrase after the id of its exchange; `undefined` if nothing is. */
  readonly problem: (one: T) => string | PlacedProblem | undefined
  /** Why the set may be empty, as a clause. */
  readonly ifNone: string
  /** Responses that may contain members but cannot be read. If there are any, the rule is not known to hold. */
  readonly unread?: readonly RecordedResponse[]
}

/** Judges each member of a set. The first one with a problem breaks the rule. An empty set is no evidence. */
export function judgeEach<T extends { readonly id: string }>(
  transcript: Transcript,
  all: readonly T[],
  { expected, problem, ifNone, unread = [] }: Requirement<T>,
): Finding {
  const invalid = all.flatMap((one) => {
    const found = problem(one)
    return found === undefined ? [] : [{ id: one.id, found }]
  })
  const [first] = invalid
  if (first !== undefined) {
    const { id, found } = first
    const exchange = transcript.exchanges.find((one) => one.id === id)
    const subject = exchange === undefined ? id : requestName(exchange)
    return typeof found === 'string'
      ? broken(expected, `${subject} ${found}`, ...idsOf(invalid))
      : brokenAt(found.at, expected, `${subject} ${found.text}`, ...idsOf(invalid))
  }
  if (unread.length > 0) return noEvidence('not every response can be read', ...idsOf(unread))
  if (all.length === 0) return nothingToJudge(transcript, ifNone)
  const ids = idsOf(all)
  return holds(
    `${expected}: so in ${ids.length === 1 ? `the response of ${ids[0]}` : `${ids.length} responses`}`,
    ...ids,
  )
}

/** Adds the part of the response that has a problem, if there is one. */
export function placed(text: string | undefined, at: Place): PlacedProblem | undefined {
  return text === undefined ? undefined : { text, at }
}

/** Returns the ids of exchanges without repetitions. */
function idsOf(all: readonly { readonly id: string }[]): readonly string[] {
  return [...new Set(all.map(({ id }) => id))]
}

/** Judges the content type of every response with content that can be read (section 4). */
export function judgeTypes(
  transcript: Transcript,
  all: readonly RecordedResponse[],
  ifNone: string,
): Finding {
  return judgeEach(transcript, all.filter(isRead).filter(hasContent), {
    expected: 'content type application/json',
    problem: (recorded) => placed(typeProblem(recorded), { header: 'content-type' }),
    ifNone,
  })
}

function hasContent({ response: { status, body } }: RecordedResponse): boolean {
  return status !== 204 && body !== ''
}

/** Returns the most severe finding. */
export function worst(findings: readonly Finding[]): Finding {
  const order: readonly Finding['outcome'][] = ['broken', 'not-run', 'no-evidence', 'not-applicable', 'holds']
  return findings.reduce((a, b) => (order.indexOf(b.outcome) < order.indexOf(a.outcome) ? b : a))
}

/** There is nothing to judge. The reason is a rejected key or the early end of the run, if there was one. */
export function nothingToJudge(
  transcript: Transcript,
  reason: string,
  ...exchanges: readonly string[]
): Finding {
  const rejected = keyRejection(transcript.exchanges)
  if (rejected) return noEvidence(`the key is rejected (${rejected})`)
  return transcript.endedEarly === undefined
    ? noEvidence(reason, ...exchanges)
    : notRun(transcript.endedEarly, ...exchanges)
}
