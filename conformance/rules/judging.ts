import { findStep } from '../steps/phases.ts'
import { maxRequestsByProfile, shorten } from '../transcript/bounds.ts'
import {
  countAcceptedInvalid,
  isInvalidStep,
  listValidCreations,
  maxAcceptedInvalid,
} from '../transcript/creations.ts'
import { findGroup, formatInFlight, type Group } from '../transcript/groups.ts'
import type { Place } from '../transcript/json.ts'
import { type Page, parsePages } from '../transcript/pages.ts'
import { pluralize } from '../transcript/printable.ts'
import { limitHeaders, readLimitHeader } from '../transcript/rate-limits.ts'
import {
  findContentTypeProblem,
  findKeyRejection,
  hasReadableBody,
  isGatewayStatus,
  type RecordedResponse,
} from '../transcript/responses.ts'
import { countRequests, formatRequestName, type Transcript } from '../transcript/transcript.ts'
import type { Finding, Judge } from './rule.ts'

type CreateFinding = (reason: string, ...exchanges: readonly string[]) => Finding

function withOutcome(outcome: Finding['outcome']): CreateFinding {
  return (reason, ...exchanges) => ({
    outcome,
    reason: shorten(reason),
    exchanges: [...new Set(exchanges)],
  })
}

/** Creates the finding that a rule holds. */
export const holds: CreateFinding = withOutcome('holds')
/** Creates the finding that the exchanges do not decide a rule. */
export const noEvidence: CreateFinding = withOutcome('no-evidence')
/** Creates the finding that a rule does not apply to this deployment. */
export const notApplicable: CreateFinding = withOutcome('not-applicable')
/** Creates the finding that the requests for a rule were not sent. */
export const notRun: CreateFinding = withOutcome('not-run')

/** Creates the finding that a rule is broken. The first exchange is the evidence. */
export function broken(expected: string, got: string, ...exchanges: readonly string[]): Finding {
  const reason = `${got} instead of ${expected}`
  return { ...withOutcome('broken')(reason, ...exchanges), expected: shorten(expected), got: shorten(got) }
}

/** Creates the finding that a rule is broken, with the header or JSON value at fault. */
export function brokenAt(
  at: Place | undefined,
  expected: string,
  got: string,
  ...exchanges: readonly string[]
): Finding {
  return { ...broken(expected, got, ...exchanges), ...(at && { at }) }
}

/** A problem, and the header or JSON value that shows it. */
export interface PlacedProblem {
  readonly text: string
  readonly at: Place
}

/** What {@link judgeEach} requires from each item. */
export interface Requirement<T> {
  /** What the interface requires, as a noun phrase. */
  readonly expected: string
  /** Returns the item's problem as a phrase that follows the request's name, such as `returned 500`. */
  readonly findProblem: (one: T, transcript: Transcript) => string | PlacedProblem | false | undefined
  /** Returns where in an item the problem is. Called if `findProblem` returns a string. */
  readonly at?: (one: T) => Place
  /** Why no item was found, as the reason in the finding. */
  readonly reasonIfNone: string
  /**
   * Everything that an item could have been found in. The rule does not apply if this is not empty but there are no
   * items.
   */
  readonly candidates?: Select<unknown>
  /** The responses that contain the items. The exchanges prove nothing if a response cannot be read. */
  readonly sources?: Select<RecordedResponse>
}

/** Selects items from a transcript. */
export type Select<T> = (transcript: Transcript) => readonly T[]

/**
 * Creates a judge that checks every selected item. The rule is broken if one item has a problem. It holds only if there
 * is at least one item and every response could be read.
 */
export function judgeEach<T extends { readonly id: string }>(
  select: Select<T>,
  { expected, findProblem, at, reasonIfNone, candidates = () => [], sources = () => [] }: Requirement<T>,
): Judge {
  return (transcript) => {
    const subjects = select(transcript)
    const problems = subjects.flatMap((one) => {
      const problem = findProblem(one, transcript)
      if (problem === undefined || problem === false) return []
      const placedProblem = typeof problem === 'string' ? { text: problem, at: at?.(one) } : problem
      return [{ ...placedProblem, id: one.id }]
    })
    const [first] = problems
    if (first !== undefined) {
      const exchange = transcript.exchanges.find(({ id }) => id === first.id)
      const actualResponse = `${exchange === undefined ? first.id : formatRequestName(exchange)} ${first.text}`
      return brokenAt(first.at, expected, actualResponse, ...listIds(problems))
    }
    const unreadResponses = sources(transcript).filter((recorded) => !hasReadableBody(recorded))
    if (unreadResponses.length > 0)
      return noEvidence('the suite could not read some responses', ...listIds(unreadResponses))
    if (subjects.length === 0)
      return candidates(transcript).length > 0
        ? notApplicable(reasonIfNone)
        : explainMissingEvidence(transcript, reasonIfNone)
    const ids = listIds(subjects)
    return holds(`${pluralize(ids.length, 'response')}: ${expected}`, ...ids)
  }
}

function listIds(all: readonly { readonly id: string }[]): readonly string[] {
  return [...new Set(all.map(({ id }) => id))]
}

/** Creates a judge that requires `application/json` from responses with content (section 4). */
export function judgeContentTypes(select: Select<RecordedResponse>, reasonIfNone: string): Judge {
  const hasContent = ({ response: { status, body } }: RecordedResponse): boolean =>
    status !== 204 && body !== ''
  return judgeEach((transcript) => select(transcript).filter(hasReadableBody).filter(hasContent), {
    expected: 'content type application/json',
    findProblem: (recorded) => findContentTypeProblem(recorded),
    at: () => ({ header: 'content-type' }),
    reasonIfNone,
  })
}

/**
 * Creates a judge that returns the worst finding of several judges. The rule holds only if no judge objects and at
 * least one finds evidence.
 */
export function judgeAll(...judges: readonly Judge[]): Judge {
  return (transcript) => {
    const findings = judges.map((judge) => judge(transcript))
    const worstFinding = findings.reduce((a, b) => (rankSeverity(b) < rankSeverity(a) ? b : a))
    if (worstFinding.outcome !== 'holds') return worstFinding
    return holds(worstFinding.reason, ...findings.flatMap(({ exchanges }) => exchanges))
  }
}

/**
 * Creates a judge for rules where one piece of evidence is enough. The rule is broken if one judge says so, and
 * otherwise holds if at least one judge says so.
 */
export function judgeAny(...judges: readonly Judge[]): Judge {
  return (transcript) => {
    const findings = judges.map((judge) => judge(transcript))
    const brokenFinding = findings.find(({ outcome }) => outcome === 'broken')
    const holdingFindings = findings.filter(({ outcome }) => outcome === 'holds')
    const [first] = holdingFindings
    if (brokenFinding !== undefined || first === undefined)
      return brokenFinding ?? judgeAll(...judges)(transcript)
    return holds(first.reason, ...holdingFindings.flatMap(({ exchanges }) => exchanges))
  }
}

function rankSeverity({ outcome }: Finding): number {
  return ['broken', 'not-run', 'no-evidence', 'holds', 'not-applicable'].indexOf(outcome)
}

/** Explains why there is nothing to judge: the key was rejected, the run ended early, or else the given reason. */
export function explainMissingEvidence(
  transcript: Transcript,
  reason: string,
  ...exchanges: readonly string[]
): Finding {
  const keyRejection = findKeyRejection(transcript.exchanges)
  if (keyRejection) return noEvidence(`the key is rejected (${keyRejection})`)
  return transcript.endedEarly === undefined
    ? noEvidence(reason, ...exchanges)
    : notRun(transcript.endedEarly, ...exchanges)
}

/** A response that can be judged, with its status. */
export interface JudgedResponse extends RecordedResponse {
  readonly status: number
}

type ResponseJudge = (judged: JudgedResponse, transcript: Transcript) => Finding

/**
 * Creates a judge for the response to one step. The response is not judged if it is missing, comes from a gateway, is a
 * 429 or rejects the key.
 *
 * @param ids The step's ID. If there are several, the first step that was sent is judged.
 */
export function judgeResponse(ids: string | readonly [string, ...string[]], judge: ResponseJudge): Judge {
  const stepIds = typeof ids === 'string' ? ([ids] as const) : ids
  return (transcript) => {
    const sentExchanges = stepIds.map((id) => transcript.exchanges.find((exchange) => exchange.id === id))
    const exchange = sentExchanges.find((found) => found !== undefined)
    if (exchange === undefined) return explainMissingExchange(transcript, stepIds[0])
    const { id, error, response, credential } = exchange
    const judgeOutcome = (): Finding => {
      if (response === undefined) return noEvidence(`no response: ${error}`)
      const { status } = response
      if (isGatewayStatus(status)) return noEvidence(`the ${status} may come from a gateway`)
      if (status === 429) return notRun('the run ended with this 429')
      if (credential === 'key') {
        if (findKeyRejection(transcript.exchanges)) return noEvidence(`the key is rejected (${status})`)
        if (status === 401) return noEvidence('the key was rejected for this request: see AUTH-9')
      }
      return judge({ id, exchange, response, status }, transcript)
    }
    return attributeTo(id, judgeOutcome())
  }
}

/**
 * Creates a judge for a group of parallel requests. The group proves nothing if no two of its requests were in flight
 * at the same time.
 *
 * @param explainAbsence Explains why the group was not sent.
 */
export function judgeGroup(
  name: string,
  explainAbsence: Judge,
  judge: (group: Group, transcript: Transcript) => Finding,
): Judge {
  return (transcript) => {
    const group = findGroup(transcript, name)
    const unmarked = transcript.exchanges.find(({ id }) => id === `${name}-1`)
    if (group === undefined)
      return unmarked === undefined
        ? explainAbsence(transcript)
        : noEvidence(`${unmarked.id} is not marked as part of a group of parallel requests`, unmarked.id)
    return group.inFlight < 2
      ? noEvidence(formatInFlight(group), ...listIds(group.exchanges))
      : judge(group, transcript)
  }
}

/** Adds the exchange's ID to a finding that names no exchanges. */
export function attributeTo(id: string, finding: Finding): Finding {
  return finding.exchanges.length > 0 ? finding : { ...finding, exchanges: [id] }
}

/** Explains why a step's request was not sent. */
export function explainMissingExchange(transcript: Transcript, id: string): Finding {
  const { endedEarly, exchanges, profile } = transcript
  const keyRejection = findKeyRejection(exchanges)
  if (keyRejection) return noEvidence(`the key is rejected (${keyRejection})`)
  if (endedEarly !== undefined) return notRun(endedEarly)
  if (isInvalidStep(id) && countAcceptedInvalid(transcript) >= maxAcceptedInvalid) {
    return notRun(`${maxAcceptedInvalid} invalid bodies were accepted, so the suite sent no more of them`)
  }
  const maxProfileRequests = maxRequestsByProfile[profile]
  return countRequests(transcript) >= maxProfileRequests && findStep(id)?.when === undefined
    ? notRun(`the limit of ${maxProfileRequests} requests was reached before ${id} could be sent`)
    : noEvidence(`the run had no reason to send ${id}`)
}

/**
 * Creates a judge for the response to a POST. A 403 proves nothing if no creation was accepted, as the key may lack the
 * scope (section 5).
 */
export function judgeCreation(id: string, judge: ResponseJudge): Judge {
  return judgeResponse(id, (judged, transcript) =>
    judged.status === 403 && listValidCreations(transcript).length === 0
      ? noEvidence('the 403 may mean that the key may not create animals')
      : judge(judged, transcript),
  )
}

/** Judges the page in a response. LIST-3 judges responses without a page. */
export function judgePage(
  transcript: Transcript,
  { id }: JudgedResponse,
  judge: (page: Page) => Finding,
): Finding {
  const page = parsePages(transcript).find((candidate) => candidate.id === id)
  return page === undefined ? noEvidence('the response body is not a readable JSON array') : judge(page)
}

/** Requires the three rate-limit headers in one response (section 8). */
export function judgeLimitHeaders(recorded: RecordedResponse): Finding {
  const missingHeaders = limitHeaders.filter((name) => readLimitHeader(recorded, name) === undefined)
  const { status } = recorded.response
  return missingHeaders.length > 0
    ? broken('the three rate-limit headers', `the ${status} has no ${missingHeaders.join(', no ')}`)
    : holds(`the ${status} has the three rate-limit headers`)
}
