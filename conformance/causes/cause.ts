import type { Finding } from '../rules/rule.ts'
import { mostRepaired } from '../transcript/bounds.ts'
import { type RecordedResponse, responses } from '../transcript/responses.ts'
import type { ReceivedResponse, Transcript } from '../transcript/transcript.ts'

/** A rule that does not hold, by its id and what it found so far. */
export interface OpenRule extends Pick<Finding, 'outcome' | 'exchanges'> {
  readonly id: string
}

/**
 * The rules that a fault can explain: those of a condition, or those that no longer fail on a transcript in which the
 * fault is repaired.
 */
export type Explains = ((rule: OpenRule) => boolean) | { readonly repaired: Transcript }

/** A fault that a transcript shows. */
export interface Fault {
  /** What the deployment does, in one sentence without a full stop. */
  readonly title: string
  /** What to do about it. */
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

/** Words for a fault, which may depend on what shows it: the first one, all of them, and the whole run. */
type Text<One> = string | ((first: One, all: readonly One[], transcript: Transcript) => string)

/** What is known of a kind of fault, whatever shows it. */
interface Description<One> extends Pick<FaultKind, 'id' | 'least'> {
  readonly title: Text<One>
  readonly advice: Text<One>
}

/** A kind of fault that some exchanges show. */
export interface ShownFault<One> extends Description<One> {
  /** The exchanges that show it; none where the transcript does not. */
  readonly shownBy: (transcript: Transcript) => readonly One[]
  /** The fewest that show it; 1 by default. */
  readonly fewest?: 2
  /** Whether it explains a rule that does not hold. */
  readonly explains: (rule: OpenRule, all: readonly One[], transcript: Transcript) => boolean
}

/** Returns a kind of fault that some exchanges show. */
export function fault<One extends { readonly id: string }>(kind: ShownFault<One>): FaultKind {
  const { shownBy, fewest = 1, explains } = kind
  return {
    ...kind,
    find(transcript) {
      const all = shownBy(transcript)
      if (all.length < fewest) return undefined
      return found(kind, all, transcript, (rule) => explains(rule, all, transcript))
    },
  }
}

function found<One extends { readonly id: string }>(
  { title, advice }: Description<One>,
  all: readonly One[],
  transcript: Transcript,
  explains: Explains,
): Fault | undefined {
  const [first] = all
  if (first === undefined) return undefined
  const text = (words: Text<One>) => (typeof words === 'string' ? words : words(first, all, transcript))
  return { title: text(title), advice: text(advice), exchanges: all.map(({ id }) => id), explains }
}

/** Explains every rule that does not hold: nothing else of the run is evidence of the deployment. */
export const everyRule = (): boolean => true

/** Explains broken rules, by their ids. */
export function brokenIn(...ids: readonly string[]): (rule: OpenRule) => boolean {
  return ({ id, outcome }) => outcome === 'broken' && ids.includes(id)
}

/** What a repair changes of a response. */
type Repair = Partial<Pick<ReceivedResponse, 'status' | 'headers' | 'body'>>

/** A kind of fault that responses have and that can be repaired. */
interface RepairableFault extends Description<RecordedResponse> {
  /** Returns the repair of a response, or `undefined` if the response does not have the fault. */
  readonly repair: (recorded: RecordedResponse, transcript: Transcript) => Repair | undefined
}

/**
 * Returns a kind of fault that is repaired in a copy of the transcript. It is not found where the bodies of the run are too
 * large to judge them twice.
 */
export function repairable(kind: RepairableFault): FaultKind {
  return {
    ...kind,
    find(transcript) {
      const all = responses(transcript)
      if (all.reduce((sum, { response }) => sum + response.body.length, 0) > mostRepaired) return undefined
      const repairs = new Map(all.map((recorded) => [recorded.exchange, kind.repair(recorded, transcript)]))
      const exchanges = transcript.exchanges.map((exchange) => {
        const { outcome } = exchange
        const change = repairs.get(exchange)
        if (change === undefined || outcome.kind === 'error') return exchange
        return { ...exchange, outcome: { ...outcome, response: { ...outcome.response, ...change } } }
      })
      const faulty = all.filter(({ exchange }) => repairs.get(exchange) !== undefined)
      return found(kind, faulty, transcript, { repaired: { ...transcript, exchanges } })
    },
  }
}

/** Returns headers in which one has another value; it is added if it is missing. */
export function withHeader(
  { headers }: ReceivedResponse,
  name: string,
  value: string,
): ReceivedResponse['headers'] {
  return [...headers.filter(([other]) => other !== name), [name, value]]
}

/**
 * Describes some of the responses of a run, such as `every response`, `every 401` or `3 of 31 responses`.
 *
 * @param noun What `all` are: a response, or an error.
 */
export function scopeOf(
  some: readonly RecordedResponse[],
  all: readonly RecordedResponse[],
  noun: 'response' | 'error' = 'response',
): string {
  const included = new Set(some)
  const groups: readonly (readonly [name: string | number, has: (status: number) => boolean])[] = [
    [noun, () => true],
    ['error', (status) => status >= 400],
    ['success', (status) => status < 300],
    ...some.map(({ response }) => [response.status, (status: number) => status === response.status] as const),
  ]
  const exact = groups.find(([, has]) => all.every((one) => has(one.response.status) === included.has(one)))
  return exact === undefined ? `${included.size} of ${all.length} ${noun}s` : `every ${exact[0]}`
}

/** Returns a scope as the first words of a sentence, with the verb that goes with it. */
export function subject(scope: string, one: string, several: string): string {
  return `${scope.charAt(0).toUpperCase()}${scope.slice(1)} ${scope.startsWith('every ') ? one : several}`
}

/** Words that follow others, if there are any. */
export function inBrackets(words: string | undefined): string {
  return words === undefined ? '' : ` (${words})`
}
