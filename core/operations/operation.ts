import type { MaybePromise } from '../base/maybe-promise.ts'
import type { ErrorCode } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import type { Result } from '../http/result.ts'
import type { IdempotencyOptions } from '../pets/idempotency.ts'
import type { NewPet, PetStatus } from '../pets/pet.ts'
import type { PetStore } from '../pets/store.ts'

/** An operation of the interface (spec 4). */
export interface Operation<Id extends string = string> {
  /** The id in the interface. */
  readonly id: Id
  /** HEAD works wherever GET does. */
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path below the base path. Its parameter, if it has one, is at the end. */
  readonly path: string
  /** Its effect on the animals. An operation that reads calls only methods of a store that read. */
  readonly effect: 'reads' | 'writes'
  /** Its purpose, in a few words. */
  readonly summary: string
  /** Facts for its callers, in Markdown. */
  readonly description: string
  /** The parameters of its path, query and headers. */
  readonly parameters: readonly OperationParameter[]
  /** The schema of its body, if it requires one (spec 2). */
  readonly body?: 'NewPet'
  /** The response of a success. */
  readonly success: OperationSuccess
  /** The codes of its Errors, without the codes that every operation may return. */
  readonly errors: readonly ErrorCode[]
  /** Present if the operation is deprecated (spec 9.2). */
  readonly deprecated?: Deprecated
  /**
   * Returns whether a store has the methods that the operation needs. A service leaves out the operations that its
   * store does not support.
   */
  isSupported(store: PetStore): boolean
  /** @internal Creates the function that performs it for one service. */
  createHandler(settings: OperationSettings): Handler
}

/** A parameter of an operation. */
export interface OperationParameter {
  /** The name of the parameter or header. */
  readonly name: string
  /** The part of the request that has it. */
  readonly in: 'query' | 'path' | 'header'
  /** Its meaning, in Markdown. */
  readonly description: string
  /** Its type, and what bounds it, as a JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>
  /** A valid value. */
  readonly example: string | number
}

/** The response of a success. */
export interface OperationSuccess {
  /** The HTTP status. */
  readonly status: 200 | 201 | 204
  /** The meaning of the response, in a few words. */
  readonly description: string
  /** The schema of the body; absent for none. */
  readonly schema?: 'Pet' | 'Pets'
}

/** The end of a deprecated operation (spec 9.2). */
export interface Deprecated {
  /** The day of removal, 00:00 UTC, in ms since the epoch. */
  readonly removal: number
  /** The path of the operation to use instead. */
  readonly successor: string
}

/** The options of a service that its operations read. */
export interface OperationSettings {
  readonly store: PetStore
  readonly basePath: string
  readonly clock: () => number
  readonly defaultStatus: PetStatus | null
  readonly idempotency: IdempotencyOptions | false
  readonly maxBodyBytes: number
  readonly maxNameLength: number | null
  readonly validate?: (pet: NewPet) => MaybePromise<readonly string[]>
}

/** A request to an operation. */
export interface OperationCall {
  readonly request: ServiceRequest
  /** The text after `?`; undefined without a `?`. */
  readonly query: string | undefined
  /** The value of the parameter of the path. */
  readonly parameter: string
  /** The id of the caller. */
  readonly caller: string
}

/** Performs an operation. */
export type Handler = (call: OperationCall) => MaybePromise<Result>

/** The JSON Schema of an int64. */
export const int64Schema: OperationParameter['schema'] = { type: 'integer', format: 'int64' }

/** A note for generators, which make an int64 a double by default. */
export const int64Note = 'An int64, which may exceed 2^53: do not parse it as a double'
