import type { MaybePromise } from '../base/maybe-promise.ts'
import type { ErrorCode } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import type { Result } from '../http/result.ts'
import type { IdempotencyOptions } from '../pets/idempotency.ts'
import type { NewPet, PetStatus } from '../pets/pet.ts'
import type { PetStore, StoreMethod, StoreWith } from '../pets/store.ts'

/** An operation (spec 4): its route, its documentation and its handler. */
export interface Operation<
  Id extends string = string,
  Requires extends readonly StoreMethod[] = readonly StoreMethod[],
> {
  /** The operation ID. */
  readonly id: Id
  /** The HTTP method. An operation with `GET` also handles `HEAD`. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the base path, with at most one parameter at its end, such as `/pets/{petId}`. */
  readonly path: string
  /**
   * Methods that the store must have. Otherwise, the service does not offer the operation. If all required methods
   * read, the operation calls only methods that read.
   */
  readonly requires: Requires
  /** Short summary for the OpenAPI description. */
  readonly summary: string
  /** Explanation for the OpenAPI description. */
  readonly description: string
  /** Returns a sentence about the service's options for the OpenAPI description. */
  describeOptions?(options: { readonly defaultStatus: PetStatus | null }): string
  /** Parameters in the path, the query and the headers. */
  readonly parameters: readonly OperationParameter[]
  /** Schema name for the request body (spec 2). By default, there is no request body. */
  readonly body?: 'NewPet'
  /** The response to a successful request. */
  readonly success: OperationSuccess
  /** The error codes that an operation may return, without the codes that any operation may return. */
  readonly errors: readonly ErrorCode[]
  /** Set if the operation is deprecated (spec 9.2). */
  readonly deprecated?: Deprecated
  /** @internal Creates the function that performs the operation. */
  createHandler(settings: OperationSettings<StoreWith<Requires[number]>>): Handler
}

/** A parameter, as in OpenAPI. */
export interface OperationParameter {
  /** Parameter name. */
  readonly name: string
  /** Where the parameter is sent. */
  readonly in: 'query' | 'path' | 'header'
  /** Explanation for the OpenAPI description. */
  readonly description: string
  /** The value's JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Example value. */
  readonly example: string | number
}

/** The response to a successful request. */
export interface OperationSuccess {
  /** HTTP status. */
  readonly status: 200 | 201 | 204
  /** Explanation for the OpenAPI description. */
  readonly description: string
  /** Schema name for the body. By default, there is no body. */
  readonly schema?: 'Pet' | 'Pets'
  /** Headers that only this operation has. */
  readonly headers?: readonly OperationHeader[]
}

/** A response header that an operation sends. */
export interface OperationHeader {
  /** Header name. */
  readonly name: string
  /** Explanation for the OpenAPI description. */
  readonly description: string
  /** Example value. `{basePath}` stands for the service's base path. */
  readonly example: string
}

/** When a deprecated operation is removed, and what replaces it (spec 9.2). */
export interface Deprecated {
  /** When the operation is removed, in milliseconds since the epoch. The time is 00:00 UTC. */
  readonly removal: number
  /** Path to use instead, below the base path. */
  readonly successor: string
}

/** The service options that operations use. */
export interface OperationSettings<Store extends PetStore = PetStore> {
  readonly store: Store
  readonly basePath: string
  readonly clock: () => number
  readonly defaultStatus: PetStatus | null
  readonly idempotency: IdempotencyOptions | false
  readonly maxBodyBytes: number
  readonly maxNameLength: number | null
  readonly validate?: (pet: NewPet) => MaybePromise<readonly string[]>
}

/** A request to an operation. The caller is authenticated and not rate-limited. */
export interface OperationCall {
  readonly request: ServiceRequest
  /** The text after `?` in the request target, or `undefined` if there is none. */
  readonly query: string | undefined
  /** The path parameter's value, or the empty string if the path has no parameter. */
  readonly parameter: string
  /** The caller's ID. */
  readonly caller: string
}

/** Performs an operation. */
export type Handler = (call: OperationCall) => MaybePromise<Result>

/** JSON Schema for an int64. */
export const int64Schema: OperationParameter['schema'] = { type: 'integer', format: 'int64' }

/** Note in the OpenAPI description, because code generators use a double for an int64 by default. */
export const int64Note = 'An int64 may exceed 2^53, so do not parse it as a double'
