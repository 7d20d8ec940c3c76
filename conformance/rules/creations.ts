import type { Exchange, Transcript } from '../transcript.ts'
import { type Answer, answers, isSuccess, jsonOf } from './answers.ts'
import { type Pet, petOf } from './pets.ts'

/** An accepted creation, keyed or not. */
export interface Creation extends Answer {
  /** The animal that it was answered with; `undefined` where the answer is no Pet. */
  readonly pet: Pet | undefined
}

/** After so many invalid bodies were accepted, no more are sent. */
export const mostAcceptedInvalid = 3

/** The creations that were accepted, in the order sent. */
export function creations(transcript: Transcript): readonly Creation[] {
  return answers(transcript)
    .filter(({ exchange, response }) => isPost(exchange) && isSuccess(response.status))
    .map((answer) => ({ ...answer, pet: petOf(jsonOf(answer.response)) }))
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
