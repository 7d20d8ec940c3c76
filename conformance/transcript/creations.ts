import { isObject, type Json, readJson } from './json.ts'
import { type Pet, petOf } from './pets.ts'
import { isSuccess, jsonOf, type RecordedResponse, responses } from './responses.ts'
import type { Exchange, Transcript } from './transcript.ts'

/** A creation that was accepted, with or without a valid key. */
export interface Creation extends RecordedResponse {
  /** The animal in the response; `undefined` if the body is not a Pet. */
  readonly pet: Pet | undefined
}

/** After so many accepted invalid bodies, a run sends no more of them. */
export const mostAcceptedInvalid = 3

/** Returns the accepted creations, in the order in which they were sent. */
export function creations(transcript: Transcript): readonly Creation[] {
  return responses(transcript)
    .filter(({ exchange, response }) => isPost(exchange) && isSuccess(response.status))
    .map((recorded) => ({ ...recorded, pet: petOf(jsonOf(recorded.response)) }))
}

/** Returns the name in the body of a creation, also in one that is not JSON; `undefined` if there is none. */
export function nameSent({ request }: Exchange): string | undefined {
  return /"name":"([^"\\]*)"/.exec(request.body ?? '')?.[1]
}

/** Returns a member of the body of a creation; `undefined` if the body is not a JSON object or lacks the member. */
export function memberSent({ request }: Exchange, name: string): Json | undefined {
  const body = readJson(request.body ?? '')
  return isObject(body) ? body.get(name) : undefined
}

/** Returns the accepted creations with the key and a valid body. */
export function validCreations(transcript: Transcript): readonly Creation[] {
  return creations(transcript).filter(({ id, exchange }) => exchange.credential === 'key' && !isInvalid(id))
}

/** Returns how many invalid bodies were accepted. */
export function acceptedInvalid(transcript: Transcript): number {
  return creations(transcript).filter(({ id }) => isInvalid(id)).length
}

/** Whether the exchange with an id sends an invalid body. */
export function isInvalid(id: string): boolean {
  return id.startsWith('refuse-') || id.endsWith('-invalid')
}

/** Whether an exchange is a creation, accepted or not. */
export function isPost({ request }: Exchange): boolean {
  return request.method === 'POST'
}
