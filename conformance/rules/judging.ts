import { findStep } from '../steps/phases.ts'
import { mostRequests, shorten } from '../transcript/bounds.ts'
import { acceptedInvalid, isInvalid, mostAcceptedInvalid, validCreations } from '../transcript/creations.ts'
import type { Place } from '../transcript/json.ts'
import { type Page, pages } from '../transcript/pages.ts'
import { plural } from '../transcript/printable.ts'
import { limitHeaders, readLimitHeader } from '../transcript/rate-limits.ts'
import {
  findKeyRejection,
  findTypeProblem,
  isGateway,
  isRead,
  type RecordedResponse,
} from '../transcript/responses.ts'
import { countRequests, formatRequestName, type Transcript } from '../transcript/transcript.ts'
import type { Finding, Judge } from './rule.ts'

/** Returns a finding with a reason, about exchanges. */
type CreateFinding = (reason: string, ...exchanges: readonly string[]) => Finding

function withOutcome(outcome: Finding['outcome']): CreateFinding {
  return (reason, ...exchanges) => ({
    outcome,
    reason: shorten(reason),
    exchanges: [...new Set(exchanges)],
  })
}

/** The rule holds in every exchange that it judges. */
export const holds: CreateFinding = withOutcome('holds')
/** The exchanges do not decide whether the rule holds. */
export const noEvidence: CreateFinding = withOutcome('no-evidence')
/** The rule does not apply to this deployment or this run. */
export const notApplicable: CreateFinding = withOutcome('not-applicable')
/** The requests that the rule requires were not sent. */
export const notRun: CreateFinding = withOutcome('not-run')

/** The rule is broken. The first exchange is the evidence. */
export function broken(expected: string, got: string, ...exchanges: readonly string[]): Finding {
  const reason = `${got} instead of ${expected}`
  return { ...withOutcome('broken')(reason, ...exchanges), expected: shorten(expected), got: shorten(got) }
}

/** The rule is broken by one part of the evidence, if it is known. */
export function brokenAt(
  at: Place | undefined,
  expected: string,
  got: string,
  ...exchanges: readonly string[]
): Finding {
  return { ...broken(expected, got, ...exchanges), ...(at && { at }) }
}

/** The problem of a response, as a phrase after the id of its exchange, and its place. */
export interface PlacedProblem {
  readonly text: string
  readonly at: Place
}

/** The requirement of a rule for each member of a set, such as every error of the run. */
export interface Requirement<T> {
  /** The requirement of the interface, as a noun phrase. */
  readonly expected: string
  /** Returns the problem of a member, as a phrase after the id of its exchange; nothing if it is fine. */
  readonly problem: (one: T, transcript: Transcript) => string | PlacedProblem | false | undefined
  /** Returns the part of a member that has a problem, if `problem` does not name it. */
  readonly at?: (one: T) => Place
  /** The reason why the set may be empty, as a clause. */
  readonly ifNone: string
  /** The set that this one is a part of. If only this one is empty, the rule does not apply: `ifNone` says why. */
  readonly outOf?: Select<unknown>
  /** Returns the responses that contain the members. If one cannot be read, the rule is not known to hold. */
  readonly containedIn?: Select<RecordedResponse>
}

/** Returns the items that a rule judges in a transcript. */
export type Select<T> = (transcript: Transcript) => readonly T[]

/** Judges each member of a set. The first one with a problem breaks the rule. An empty set proves nothing. */
export function eachOf<T extends { readonly id: string }>(
  select: Select<T>,
  { expected, problem, at, ifNone, outOf = () => [], containedIn = () => [] }: Requirement<T>,
): Judge {
  return (transcript) => {
    const all = select(transcript)
    const wrong = all.flatMap((one) => {
      const found = problem(one, transcript)
      if (found === undefined || found === false) return []
      const placed = typeof found === 'string' ? { text: found, at: at?.(one) } : found
      return [{ ...placed, id: one.id }]
    })
    const [first] = wrong
    if (first !== undefined) {
      const exchange = transcript.exchanges.find(({ id }) => id === first.id)
      const got = `${exchange === undefined ? first.id : formatRequestName(exchange)} ${first.text}`
      return brokenAt(first.at, expected, got, ...listIds(wrong))
    }
    const unread = containedIn(transcript).filter((recorded) => !isRead(recorded))
    if (unread.length > 0) return noEvidence('not every response can be read', ...listIds(unread))
    if (all.length === 0)
      return outOf(transcript).length > 0 ? notApplicable(ifNone) : nothingToJudge(transcript, ifNone)
    const ids = listIds(all)
    return holds(`${plural(ids.length, 'response')}: ${expected}`, ...ids)
  }
}

/** Returns the ids of exchanges without repetitions. */
function listIds(all: readonly { readonly id: string }[]): readonly string[] {
  return [...new Set(all.map(({ id }) => id))]
}

/** Judges the content type of every response with content that can be read (section 4). */
export function judgeTypes(select: Select<RecordedResponse>, ifNone: string): Judge {
  const hasContent = ({ response: { status, body } }: RecordedResponse): boolean =>
    status !== 204 && body !== ''
  return eachOf((transcript) => select(transcript).filter(isRead).filter(hasContent), {
    expected: 'content type application/json',
    problem: (recorded) => findTypeProblem(recorded),
    at: () => ({ header: 'content-type' }),
    ifNone,
  })
}

/**
 * Judges what several exchanges show: the worst finding counts. If a rule holds, all exchanges that show it are named.
 */
export function worstOf(...judges: readonly Judge[]): Judge {
  return (transcript) => {
    const findings = judges.map((judge) => judge(transcript))
    const worst = findings.reduce((a, b) => (severity(b) < severity(a) ? b : a))
    if (worst.outcome !== 'holds') return worst
    return holds(worst.reason, ...findings.flatMap(({ exchanges }) => exchanges))
  }
}

/** Judges exchanges, some of them without proof: broken if one is broken, and holds if one holds. */
export function anyOf(...judges: readonly Judge[]): Judge {
  return (transcript) => {
    const findings = judges.map((judge) => judge(transcript))
    const broken = findings.find(({ outcome }) => outcome === 'broken')
    const held = findings.filter(({ outcome }) => outcome === 'holds')
    const [first] = held
    if (broken !== undefined || first === undefined) return broken ?? worstOf(...judges)(transcript)
    return holds(first.reason, ...held.flatMap(({ exchanges }) => exchanges))
  }
}

function severity({ outcome }: Finding): number {
  return ['broken', 'not-run', 'no-evidence', 'holds', 'not-applicable'].indexOf(outcome)
}

/** There is nothing to judge. The reason is a rejected key or the early end of the run, if there was one. */
export function nothingToJudge(
  transcript: Transcript,
  reason: string,
  ...exchanges: readonly string[]
): Finding {
  const rejected = findKeyRejection(transcript.exchanges)
  if (rejected) return noEvidence(`the key is rejected (${rejected})`)
  return transcript.endedEarly === undefined
    ? noEvidence(reason, ...exchanges)
    : notRun(transcript.endedEarly, ...exchanges)
}

/** The response that a rule judges. */
export interface JudgedResponse extends RecordedResponse {
  readonly status: number
}

type JudgeResponse = (judged: JudgedResponse, transcript: Transcript) => Finding

/**
 * Judges the response of one exchange, if there is one that can be judged. A finding that names no exchange is about
 * this one.
 *
 * @param ids The id of the exchange. Of several ids, the first one that was sent counts.
 */
export function onResponse(ids: string | readonly [string, ...string[]], judge: JudgeResponse): Judge {
  const candidates = typeof ids === 'string' ? ([ids] as const) : ids
  return (transcript) => {
    const sent = candidates.map((id) => transcript.exchanges.find((exchange) => exchange.id === id))
    const exchange = sent.find((found) => found !== undefined)
    if (exchange === undefined) return missing(transcript, candidates[0])
    const { id, outcome, credential } = exchange
    const judgeOutcome = (): Finding => {
      if (outcome.kind === 'error') return noEvidence(`no response came: ${outcome.error}`)
      const { response } = outcome
      const { status } = response
      if (isGateway(status)) return noEvidence(`the ${status} may come from a gateway`)
      if (status === 429) return notRun('the 429 ended the run')
      if (credential === 'key') {
        if (findKeyRejection(transcript.exchanges)) return noEvidence(`the key is rejected (${status})`)
        if (status === 401) return noEvidence('the key was rejected here: see AUTH-9')
      }
      return judge({ id, exchange, response, status }, transcript)
    }
    return about(id, judgeOutcome())
  }
}

/** Returns a finding that is about an exchange, if it names none itself. */
export function about(id: string, finding: Finding): Finding {
  return finding.exchanges.length > 0 ? finding : { ...finding, exchanges: [id] }
}

function missing(transcript: Transcript, id: string): Finding {
  const { endedEarly, exchanges, profile } = transcript
  const rejected = findKeyRejection(exchanges)
  if (rejected) return noEvidence(`the key is rejected (${rejected})`)
  if (endedEarly !== undefined) return notRun(endedEarly)
  if (isInvalid(id) && acceptedInvalid(transcript) >= mostAcceptedInvalid) {
    return notRun(`${mostAcceptedInvalid} invalid bodies were accepted: no more were sent`)
  }
  const bound = mostRequests[profile]
  return countRequests(transcript) >= bound && findStep(id)?.when === undefined
    ? notRun(`the bound of ${bound} requests left no room for ${id}`)
    : noEvidence(`the run found nothing to send ${id} for`)
}

/**
 * Judges the response of a creation with the key. A 403 proves nothing if every creation gets one: scopes are open
 * (section 5).
 */
export function onCreation(id: string, judge: JudgeResponse): Judge {
  return onResponse(id, (judged, transcript) =>
    judged.status === 403 && validCreations(transcript).length === 0
      ? noEvidence('a 403 may mean that the key may not create animals')
      : judge(judged, transcript),
  )
}

/** Judges the page in a response. LIST-3 judges a response without one. */
export function judgePage(
  transcript: Transcript,
  { id }: JudgedResponse,
  judge: (page: Page) => Finding,
): Finding {
  const page = pages(transcript).find((candidate) => candidate.id === id)
  return page === undefined ? noEvidence('the response has no array that can be read') : judge(page)
}

/** Judges whether one response has the three headers of section 8. */
export function judgeLimitHeaders(recorded: RecordedResponse): Finding {
  const missing = limitHeaders.filter((name) => readLimitHeader(recorded, name) === undefined)
  const { status } = recorded.response
  return missing.length > 0
    ? broken('the three rate-limit headers', `the ${status} has no ${missing.join(', no ')}`)
    : holds(`the ${status} has the three rate-limit headers`)
}
