import { isObject, type Json, readJson } from './json.ts'
import { type Pet, petOf } from './pets.ts'
import { isSuccess, jsonOf, type RecordedResponse, responses } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** An accepted creation, keyed or not. */
export interface Creation extends RecordedResponse {
  /** The animal that returned; `undefined` where the response is no Pet. */
  readonly pet: Pet | undefined
}

/** After so many invalid bodies were accepted, no more are sent. */
export const mostAcceptedInvalid = 3

/** The creations that were accepted, in the order sent. */
export function creations(transcript: Transcript): readonly Creation[] {
  return responses(transcript)
    .filter(({ exchange, response }) => isPost(exchange) && isSuccess(response.status))
    .map((recorded) => ({ ...recorded, pet: petOf(jsonOf(recorded.response)) }))
}

/** The name that a creation's body gave, be it JSON or not; `undefined` where it gave none. */
export function nameSent({ request }: Exchange): string | undefined {
  return /"name":"([^"\\]*)"/.exec(request.body ?? '')?.[1]
}

/** A member of a creation's body; `undefined` where there is none, or the body is no JSON object. */
export function memberSent({ request }: Exchange, name: string): Json | undefined {
  const body = readJson(request.body ?? '')
  return isObject(body) ? body.get(name) : undefined
}

/** The creations with the key and a body that the spec allows that were accepted. */
export function validCreations(transcript: Transcript): readonly Creation[] {
  return creations(transcript).filter(({ id, exchange }) => exchange.credential === 'key' && !isInvalid(id))
}

/** How many bodies with a fault were accepted. */
export function acceptedInvalid(transcript: Transcript): number {
  return creations(transcript).filter(({ id }) => isInvalid(id)).length
}

/** Whether an exchange, by its id, sends a body with a fault. */
export function isInvalid(id: string): boolean {
  return id.startsWith('refuse-')
}

/** Whether an exchange is a creation, accepted or not. */
export function isPost({ request }: Exchange): boolean {
  return request.method === 'POST'
}
