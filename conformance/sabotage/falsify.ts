import type { Exchange, ReceivedResponse, Transcript } from '../transcript/transcript.ts'
import { isObject, type Json, type JsonObject, readJson, writeJson } from './json.ts'

/** Returns falsified copies of a transcript. */
export type Falsify = (transcript: Transcript) => readonly Transcript[]
/** Returns falsified copies of a response. */
export type FalsifyResponse = (response: ReceivedResponse) => readonly ReceivedResponse[]
/** Returns copies of an animal or an Error in which one member is falsified. */
export type FalsifyMember = (item: JsonObject, name: string) => readonly JsonObject[]

/** Falsifies one response of a transcript at a time: each of them, or the chosen ones. */
export function each(
  falsify: FalsifyResponse,
  isChosen: (exchange: Exchange, index: number, all: readonly Exchange[]) => boolean = () => true,
): Falsify {
  return (transcript) =>
    transcript.exchanges.flatMap((exchange, index, all) =>
      exchange.outcome.kind === 'response' && isChosen(exchange, index, all)
        ? falsify(exchange.outcome.response).map((response) => ({
            ...transcript,
            exchanges: all.with(index, { ...exchange, outcome: { kind: 'response', response } }),
          }))
        : [],
    )
}

/** Falsifies what is known of the connection of one exchange at a time. */
export function inExchange(members: Partial<Exchange>): Falsify {
  return (transcript) =>
    transcript.exchanges.map((exchange, index, all) => ({
      ...transcript,
      exchanges: all.with(index, { ...exchange, ...members }),
    }))
}

/** Like `each`, for one response of each kind: most of a run's errors differ only in the request that caused them. */
export function oneOfEach(falsify: FalsifyResponse): Falsify {
  return each(falsify, (exchange, index, all) =>
    all.slice(0, index).every((earlier) => kindOf(earlier) !== kindOf(exchange)),
  )
}

function kindOf({ id, credential, request: { method }, outcome }: Exchange): string {
  const status = outcome.kind === 'response' ? outcome.response.status : 0
  return status >= 400 ? `${method} ${credential} ${status}` : id.replace(/^burn-\d+$/, 'burn')
}

/** Falsifies all responses at once. */
export function everyResponse(falsify: (response: ReceivedResponse) => ReceivedResponse): Falsify {
  return (transcript) => {
    const exchanges = transcript.exchanges.map((exchange): Exchange => {
      const { outcome } = exchange
      if (outcome.kind === 'error') return exchange
      return { ...exchange, outcome: { ...outcome, response: falsify(outcome.response) } }
    })
    return [{ ...transcript, exchanges }]
  }
}

/** Swaps the responses of two consecutive exchanges. */
export const swapNeighbours: Falsify = (transcript) =>
  transcript.exchanges.slice(1).map((second, n) => {
    const first = transcript.exchanges[n] ?? second
    const pair = [
      { ...first, outcome: second.outcome },
      { ...second, outcome: first.outcome },
    ]
    return { ...transcript, exchanges: transcript.exchanges.toSpliced(n, 2, ...pair) }
  })

/** The response with one header set, or dropped where no value is given. */
export function withHeader(response: ReceivedResponse, name: string, value?: string): ReceivedResponse {
  const others = response.headers.filter(([other]) => other !== name)
  return { ...response, headers: value === undefined ? others : [...others, [name, value]] }
}

/** Falsifies the value of a header, where the response has it. */
export function inHeader(name: string, edit: (value: string) => string): FalsifyResponse {
  return (response) =>
    response.headers
      .filter(([other]) => other === name)
      .map(([, value]) => withHeader(response, name, edit(value)))
}

/** Falsifies a JSON body, one of each kind. */
export function inBody(falsify: (body: Json) => readonly Json[]): Falsify {
  return oneOfEach((response) =>
    response.body === ''
      ? []
      : falsify(readJson(response.body)).map((body) => ({ ...response, body: writeJson(body) })),
  )
}

/** Falsifies a body that is an array. */
export function inPage(falsify: (pets: readonly Json[]) => readonly Json[]): Falsify {
  return inBody((body) => (Array.isArray(body) ? [falsify(body)] : []))
}

/** Falsifies each member of a body that is an object, or of the first element of one that is an array. */
export function inMembers(falsify: FalsifyMember): Falsify {
  return inBody((body) => {
    const item = Array.isArray(body) ? body[0] : body
    const results = isObject(item) ? Object.keys(item).flatMap((name) => falsify(item, name)) : []
    return Array.isArray(body) ? results.map((result) => body.with(0, result)) : results
  })
}

/** Falsifies a member that is a string. */
export function inString(change: (text: string) => string): FalsifyMember {
  return (item, name) => {
    const text = item[name]
    return typeof text === 'string' ? [{ ...item, [name]: change(text) }] : []
  }
}

/** Falsifies a member that is an integer. */
export function inInteger(change: (value: bigint) => bigint): FalsifyMember {
  return (item, name) => {
    const value = item[name]
    return typeof value === 'bigint' ? [{ ...item, [name]: change(value) }] : []
  }
}
