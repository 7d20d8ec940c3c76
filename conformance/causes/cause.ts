import type { Finding } from '../rules/rule.ts'
import { maxRepairLength } from '../transcript/bounds.ts'
import { pluralize } from '../transcript/printable.ts'
import { listResponses, type RecordedResponse } from '../transcript/responses.ts'
import type { ReceivedResponse, Transcript } from '../transcript/transcript.ts'

/** A rule that is broken or undecided. */
export interface UnmetRule extends Pick<Finding, 'outcome' | 'exchanges'> {
  readonly id: string
}

/**
 * Which rules a fault explains: those that a predicate selects, or those that hold in a transcript without the fault.
 */
export type Explanation = ((rule: UnmetRule) => boolean) | { readonly repaired: Transcript }

/** A fault that was found in a transcript. */
export interface Fault {
  /** One sentence with the fault and the number of responses, or the first request. */
  readonly title: string
  /** What to change, as an instruction. */
  readonly advice: string
  /** IDs of the exchanges that show the fault. */
  readonly exchanges: readonly string[]
  readonly explains: Explanation
}

/** A kind of fault, and how to find it. */
export interface FaultKind {
  /** Stable ID of the cause in reports, such as `wrapped`. IDs are never reused or renamed. */
  readonly id: string
  /**
   * Minimum number of rules that the fault must explain to be reported, 1 by default. A fault that a single rule
   * describes just as well needs 2.
   */
  readonly minRules?: 2
  /** Looks for the fault. Returns `undefined` if the transcript does not show it. */
  readonly find: (transcript: Transcript) => Fault | undefined
}

/** Text, or a function that writes it from what was found. */
type Words<One> = string | ((first: One, all: readonly One[], transcript: Transcript) => string)

/** A kind of fault with its text. */
export interface DescribedKind<One> extends Pick<FaultKind, 'id' | 'minRules'> {
  readonly title: Words<One>
  readonly advice: Words<One>
}

interface FoundKind<One> extends DescribedKind<One> {
  /** Finds everything that shows the fault. */
  readonly findAll: (transcript: Transcript) => readonly One[]
  /** By default the fault explains every rule that is broken or undecided. */
  readonly explains?: (all: readonly One[], transcript: Transcript) => Explanation
}

/** Creates a kind of fault from a function that finds everything that shows it. */
export function createFaultKind<One extends { readonly id: string }>(kind: FoundKind<One>): FaultKind {
  const { findAll, title, advice, explains = () => () => true } = kind
  return {
    ...kind,
    find(transcript) {
      const faultyResponses = findAll(transcript)
      const [first] = faultyResponses
      if (first === undefined) return undefined
      const toText = (words: Words<One>) =>
        typeof words === 'string' ? words : words(first, faultyResponses, transcript)
      const exchanges = faultyResponses.map(({ id }) => id)
      return {
        title: toText(title),
        advice: toText(advice),
        exchanges,
        explains: explains(faultyResponses, transcript),
      }
    },
  }
}

/** Creates a kind of fault that every response must show. A single response is not enough. */
export function createUniformKind(
  kind: DescribedKind<RecordedResponse> & {
    readonly has: (recorded: RecordedResponse, transcript: Transcript) => boolean
  },
): FaultKind {
  return createFaultKind({
    ...kind,
    findAll(transcript) {
      const responses = listResponses(transcript)
      return responses.length > 1 && responses.every((recorded) => kind.has(recorded, transcript))
        ? responses
        : []
    },
  })
}

/** Creates a predicate for broken rules with these IDs. */
export function explainsBroken(...ids: readonly string[]): (rule: UnmetRule) => boolean {
  return ({ id, outcome }) => outcome === 'broken' && ids.includes(id)
}

type Repair = Partial<Pick<ReceivedResponse, 'status' | 'headers' | 'body'>>

interface RepairableKind extends DescribedKind<RecordedResponse> {
  /** Returns the parts of the response to replace, or `undefined` if the response does not have the fault. */
  readonly repair: (recorded: RecordedResponse, transcript: Transcript) => Repair | undefined
}

/**
 * Creates a kind of fault that can be repaired in a copy of the transcript. Nothing is repaired if the bodies are too
 * large, as every rule is judged again.
 */
export function createRepairableKind(kind: RepairableKind): FaultKind {
  const { repair } = kind
  return createFaultKind({
    ...kind,
    findAll(transcript) {
      const responses = listResponses(transcript)
      const totalBodyLength = responses.reduce((sum, { response }) => sum + response.body.length, 0)
      return totalBodyLength > maxRepairLength
        ? []
        : responses.filter((recorded) => repair(recorded, transcript) !== undefined)
    },
    explains: (faulty, transcript) => {
      const responsesByExchange = new Map(faulty.map((recorded) => [recorded.exchange, recorded]))
      const exchanges = transcript.exchanges.map((exchange) => {
        const recorded = responsesByExchange.get(exchange)
        if (recorded === undefined) return exchange
        const response = { ...recorded.response, ...repair(recorded, transcript) }
        return { ...recorded.exchange, response, error: undefined }
      })
      return { repaired: { ...transcript, exchanges } }
    },
  })
}

/** Returns the headers with one of them replaced. */
export function replaceHeader(
  { headers }: ReceivedResponse,
  name: string,
  value: string,
): ReceivedResponse['headers'] {
  return [...headers.filter(([other]) => other !== name), [name, value]]
}

/** Formats a proportion: `9 of 39 responses`. */
export function formatCount(some: readonly RecordedResponse[], all: readonly RecordedResponse[]): string {
  return `${some.length} of ${pluralize(all.length, 'response')}`
}
