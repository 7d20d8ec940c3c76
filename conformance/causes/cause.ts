import type { Finding } from '../rules/rule.ts'
import { mostRepaired } from '../transcript/bounds.ts'
import { plural } from '../transcript/printable.ts'
import { type RecordedResponse, responses } from '../transcript/responses.ts'
import type { ReceivedResponse, Transcript } from '../transcript/transcript.ts'

/** A rule that does not hold: its id and its finding so far. */
export interface OpenRule extends Pick<Finding, 'outcome' | 'exchanges'> {
  readonly id: string
}

/**
 * The rules that a fault can explain: by a condition, or because they no longer fail on a transcript without the fault.
 */
export type Explains = ((rule: OpenRule) => boolean) | { readonly repaired: Transcript }

/** A fault that a transcript shows. */
export interface Fault {
  /** The fault of the deployment, in one sentence without a full stop. */
  readonly title: string
  /** Advice, as an imperative without a full stop. */
  readonly advice: string
  /** The ids of the exchanges that show it, at least one. */
  readonly exchanges: readonly string[]
  readonly explains: Explains
}

/** One kind of fault, and how to find it. */
export interface FaultKind {
  /** Stable: no id is renamed or used again. */
  readonly id: string
  /** The fewest rules that make it a cause; 1 by default. A fault that one rule states as well as its title needs 2. */
  readonly least?: 2
  /** Returns the fault, if the transcript shows it. */
  readonly find: (transcript: Transcript) => Fault | undefined
}

/** Words for a fault. They may depend on its evidence (the first piece and all of it) and on the transcript. */
type Text<One> = string | ((first: One, all: readonly One[], transcript: Transcript) => string)

/** The facts about a kind of fault that do not depend on the evidence. */
export interface Described<One> extends Pick<FaultKind, 'id' | 'least'> {
  readonly title: Text<One>
  readonly advice: Text<One>
}

/** A kind of fault that some exchanges show. */
interface ShownFault<One> extends Described<One> {
  /** The exchanges that show it; empty if the transcript does not show it. */
  readonly shownBy: (transcript: Transcript) => readonly One[]
  /** By default every rule that does not hold: nothing else of the run is evidence of the deployment. */
  readonly explains?: (all: readonly One[], transcript: Transcript) => Explains
}

/** Returns a kind of fault that some exchanges show. */
export function fault<One extends { readonly id: string }>(kind: ShownFault<One>): FaultKind {
  const { shownBy, title, advice, explains = () => () => true } = kind
  return {
    ...kind,
    find(transcript) {
      const all = shownBy(transcript)
      const [first] = all
      if (first === undefined) return undefined
      const text = (words: Text<One>) => (typeof words === 'string' ? words : words(first, all, transcript))
      const exchanges = all.map(({ id }) => id)
      return { title: text(title), advice: text(advice), exchanges, explains: explains(all, transcript) }
    },
  }
}

/** A kind of fault that every response of a run has, at least two of them. */
export function uniform(
  kind: Described<RecordedResponse> & {
    readonly has: (recorded: RecordedResponse, transcript: Transcript) => boolean
  },
): FaultKind {
  return fault({
    ...kind,
    shownBy(transcript) {
      const all = responses(transcript)
      return all.length > 1 && all.every((recorded) => kind.has(recorded, transcript)) ? all : []
    },
  })
}

/** Explains broken rules, by their ids. */
export function brokenIn(...ids: readonly string[]): (rule: OpenRule) => boolean {
  return ({ id, outcome }) => outcome === 'broken' && ids.includes(id)
}

/** The members of a response that a repair changes. */
type Repair = Partial<Pick<ReceivedResponse, 'status' | 'headers' | 'body'>>

/** A kind of fault that responses have and that can be repaired. */
interface RepairableFault extends Described<RecordedResponse> {
  /** Returns the repair of a response, or `undefined` if the response does not have the fault. */
  readonly repair: (recorded: RecordedResponse, transcript: Transcript) => Repair | undefined
}

/**
 * Returns a kind of fault that is repaired in a copy of the transcript. It is not found if the bodies of the run are
 * too large to judge them twice.
 */
export function repairable(kind: RepairableFault): FaultKind {
  const { repair } = kind
  return fault({
    ...kind,
    shownBy(transcript) {
      const all = responses(transcript)
      const size = all.reduce((sum, { response }) => sum + response.body.length, 0)
      return size > mostRepaired ? [] : all.filter((recorded) => repair(recorded, transcript) !== undefined)
    },
    explains: (faulty, transcript) => {
      const byExchange = new Map(faulty.map((recorded) => [recorded.exchange, recorded]))
      const exchanges = transcript.exchanges.map((exchange) => {
        const recorded = byExchange.get(exchange)
        if (recorded === undefined) return exchange
        const response = { ...recorded.response, ...repair(recorded, transcript) }
        return { ...exchange, outcome: { kind: 'response' as const, response } }
      })
      return { repaired: { ...transcript, exchanges } }
    },
  })
}

/** Returns headers with another value for one of them; it is added if it is missing. */
export function withHeader(
  { headers }: ReceivedResponse,
  name: string,
  value: string,
): ReceivedResponse['headers'] {
  return [...headers.filter(([other]) => other !== name), [name, value]]
}

/** Returns how many of the responses have a fault, such as `3 of 31 responses`. */
export function formatCount(some: readonly RecordedResponse[], all: readonly RecordedResponse[]): string {
  return `${some.length} of ${plural(all.length, 'response')}`
}
