import { always, editResponse, type When } from '../change.ts'
import type { Change, Handler } from '../deployment.ts'
import { replaced } from '../edit.ts'
import { type ApiResponse, callerOf } from '../exchange.ts'

/** A deployment, as a change to the reference or as a handler. */
export type Server = Change | Handler

/** A deployment that shows a cause, and one that is nearly the same and does not. */
export interface Faulty {
  /** The id of the cause. */
  readonly cause: string
  /** What the deployment does, as the rest of a sentence that begins with "a deployment that". */
  readonly does: string
  readonly server: Server
  /** What the other deployment does. */
  readonly nearly: string
  readonly near: Server
  /** `read` by default. */
  readonly profile?: 'create'
}

/** Requests that do not meet a condition. */
export const not =
  (when: When): When =>
  (request) =>
    !when(request)

/** Requests with one of the keys. */
export const hasKey: When = (request) => callerOf(request) !== 'anonymous'

/** Requests without a valid key. */
export const lacksKey: When = not(hasKey)

/** The deployment sends this response to some requests. The headers that it does not set are kept. */
export const respond = (when: When, other: ApiResponse): Change =>
  editResponse(when, (response) => replaced(response, other))

/** Every response is changed. */
export const everywhere = (edit: (response: ApiResponse) => ApiResponse): Change => editResponse(always, edit)

/** Errors are changed, all of them or those with one of the statuses. */
export const errors = (edit: (response: ApiResponse) => ApiResponse, statuses?: readonly number[]): Change =>
  editResponse(always, (response) =>
    response.status >= 400 && (statuses?.includes(response.status) ?? true) ? edit(response) : response,
  )
