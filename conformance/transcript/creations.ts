import { stepOf } from '../steps/phases.ts'
import { isObject, type Json } from './json.ts'
import { readJson } from './json-reader.ts'
import { once } from './once.ts'
import { isSameName, type Pet, petOf } from './pets.ts'
import { isSuccess, jsonOf, type RecordedResponse, responses } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A creation that was accepted, with or without a valid key. */
export interface Creation extends RecordedResponse {
  /** The animal in the response; `undefined` if the body is not a Pet. */
  readonly pet: Pet | undefined
}

/** After so many accepted invalid bodies, a run sends no more of them. */
export const mostAcceptedInvalid = 12

/** Whether the exchange with an id sends a body with ordinary values. Such bodies differ in their status and the end of the name. */
export function isOrdinary(id: string): boolean {
  return stepOf(id)?.isOrdinary === true
}

/** Whether the exchange with an id repeats a creation with its `Idempotency-Key`, and may return its animal. */
export function isRepetition(id: string): boolean {
  return stepOf(id)?.repeats !== undefined
}

/** Returns the accepted creations, in the order in which they were sent. A repetition that adds no animal is none. */
export const creations: (transcript: Transcript) => readonly Creation[] = once((transcript) => {
  const all = responses(transcript)
    .filter(({ exchange, response }) => isPost(exchange) && isSuccess(response.status))
    .map((recorded) => ({ ...recorded, pet: petOf(jsonOf(recorded.response)) }))
  const byId = new Map(all.map((creation) => [creation.id, creation]))
  return all.filter(({ id, pet }) => {
    const first = byId.get(stepOf(id)?.repeats ?? '')
    return !isRepetition(id) || first?.pet?.id !== pet?.id
  })
})

/** Returns the name in the body of a creation, also in one that is not JSON; `undefined` if there is none. */
export function nameSent({ request }: Exchange): string | undefined {
  const body = readJson(request.body ?? '')
  const name = isObject(body) ? body.get('name') : /"name":"([^"\\]*)"/.exec(request.body ?? '')?.[1]
  return typeof name === 'string' ? name : undefined
}

/** Returns a member of the body of a creation; `undefined` if the body is not a JSON object or lacks the member. */
export function memberSent({ request }: Exchange, name: string): Json | undefined {
  const body = readJson(request.body ?? '')
  return isObject(body) ? body.get(name) : undefined
}

/** Whether an animal has the name and the category that a creation sent. */
export function isAsSent(
  exchange: Exchange,
  { name, categoryId }: Pick<Pet, 'name' | 'categoryId'>,
): boolean {
  return isSameName(memberSent(exchange, 'name'), name) && memberSent(exchange, 'categoryId') === categoryId
}

/** Returns the accepted creations with the key and a valid body. */
export const validCreations: (transcript: Transcript) => readonly Creation[] = once((transcript) =>
  creations(transcript).filter(
    ({ id, exchange }) => exchange.credential === 'key' && !isInvalid(id) && !isRepetition(id),
  ),
)

/** Returns how many invalid bodies were accepted. */
export function acceptedInvalid(transcript: Transcript): number {
  return creations(transcript).filter(({ id }) => isInvalid(id)).length
}

/** Whether the exchange with an id sends an invalid body, or one that the interface leaves open. */
export function isInvalid(id: string): boolean {
  return stepOf(id)?.creates === 'invalid'
}

/** Whether an exchange is a creation, accepted or not. */
export function isPost({ request: { method, target } }: Exchange): boolean {
  return method === 'POST' && target === '/pets'
}
