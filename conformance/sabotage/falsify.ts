import type { Exchange, ReceivedResponse, Transcript } from '../transcript/transcript.ts'
import { isObject, type Json, type JsonObject, readJson, writeJson } from './json.ts'

/** What becomes of a transcript: each result differs from it in one place. */
export type Falsify = (transcript: Transcript) => readonly Transcript[]
/** What becomes of an answer. */
export type FalsifyResponse = (response: ReceivedResponse) => readonly ReceivedResponse[]
/** What becomes of an animal or an Error, by way of one of its members. */
export type FalsifyMember = (item: JsonObject, name: string) => readonly JsonObject[]

/** Falsifies every answer in turn, or those that are chosen. */
export function each(
  falsify: FalsifyResponse,
  isChosen: (exchange: Exchange, place: number, all: readonly Exchange[]) => boolean = () => true,
): Falsify {
  return (transcript) =>
    transcript.exchanges.flatMap((exchange, place, all) =>
      exchange.outcome.kind === 'response' && isChosen(exchange, place, all)
        ? falsify(exchange.outcome.response).map((response) => ({
            ...transcript,
            exchanges: all.with(place, { ...exchange, outcome: { kind: 'response', response } }),
          }))
        : [],
    )
}

/** Falsifies one answer of each kind: most refusals of a run differ in nothing but what was refused. */
export function oneOfEach(falsify: FalsifyResponse): Falsify {
  return each(falsify, (exchange, place, all) =>
    all.slice(0, place).every((earlier) => kindOf(earlier) !== kindOf(exchange)),
  )
}

function kindOf({ id, credential, request: { method }, outcome }: Exchange): string {
  const status = outcome.kind === 'response' ? outcome.response.status : 0
  return status >= 400 ? `${method} ${credential} ${status}` : id.replace(/^burn-\d+$/, 'burn')
}

/** Falsifies all answers at once. */
export function everyResponse(falsify: (response: ReceivedResponse) => ReceivedResponse): Falsify {
  return (transcript) => {
    const exchanges = transcript.exchanges.map(({ outcome, ...exchange }): Exchange => {
      const isAnswer = outcome.kind === 'response'
      return {
        ...exchange,
        outcome: isAnswer ? { ...outcome, response: falsify(outcome.response) } : outcome,
      }
    })
    return [{ ...transcript, exchanges }]
  }
}

/** Swaps the answers of two neighbours. */
export const swapNeighbours: Falsify = (transcript) =>
  transcript.exchanges.slice(1).map((second, n) => {
    const first = transcript.exchanges[n] ?? second
    const pair = [
      { ...first, outcome: second.outcome },
      { ...second, outcome: first.outcome },
    ]
    return { ...transcript, exchanges: transcript.exchanges.toSpliced(n, 2, ...pair) }
  })

/** The answer with one header set, or dropped where no value is given. */
export function withHeader(response: ReceivedResponse, name: string, value?: string): ReceivedResponse {
  const others = response.headers.filter(([other]) => other !== name)
  return { ...response, headers: value === undefined ? others : [...others, [name, value]] }
}

/** Writes another value into a header where there is one. */
export function inHeader(name: string, spell: (value: string) => string): FalsifyResponse {
  return (response) =>
    response.headers
      .filter(([other]) => other === name)
      .map(([, value]) => withHeader(response, name, spell(value)))
}

/** Falsifies a body that is JSON. */
export function inBody(falsify: (body: Json) => readonly Json[]): FalsifyResponse {
  return (response) =>
    response.body === ''
      ? []
      : falsify(readJson(response.body)).map((body) => ({ ...response, body: writeJson(body) }))
}

/** Falsifies a body that is a page. */
export function inPage(falsify: (pets: readonly Json[]) => readonly Json[]): FalsifyResponse {
  return inBody((body) => (Array.isArray(body) ? [falsify(body)] : []))
}

/** Falsifies each member of a body that is an object, and of the first animal of a page. */
export function inMembers(falsify: FalsifyMember): FalsifyResponse {
  return inBody((body) => {
    const item = Array.isArray(body) ? body[0] : body
    const results = isObject(item) ? Object.keys(item).flatMap((name) => falsify(item, name)) : []
    return Array.isArray(body) ? results.map((result) => body.with(0, result)) : results
  })
}

/** Falsifies a member that is text. */
export function inText(change: (text: string) => string): FalsifyMember {
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
