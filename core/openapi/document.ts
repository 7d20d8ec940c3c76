import type { Operation, OperationId } from '../http/operations.ts'
import type { PlanOptions } from '../limits/plans.ts'

/** The part of OpenAPI 3.1 that the description of this interface needs; see https://spec.openapis.org/oas/v3.1.0. */
export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    /** The version of the interface (spec 9.1), not of the package. */
    readonly version: string
    /** Markdown. */
    readonly description: string
  }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<
    Record<string, Readonly<Partial<Record<Lowercase<Operation['method']>, OpenApiOperation>>>>
  >
  readonly components: {
    readonly securitySchemes: {
      readonly bearerAuth: { readonly type: 'http'; readonly scheme: 'bearer'; readonly description: string }
    }
    readonly headers: Readonly<Record<string, OpenApiHeader>>
    readonly schemas: OpenApiSchemas
  }
  /** Requests per minute and per day by plan (spec 8), and those of an `anonymous` client. */
  readonly 'x-rateLimits': PlanOptions
}

/** An operation, with the extensions of this interface: `x-sunset` and `x-stability`. */
export interface OpenApiOperation {
  readonly operationId: OperationId
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly OpenApiParameter[]
  readonly requestBody?: { readonly required: true; readonly content: OpenApiContent }
  /** By status. */
  readonly responses: Readonly<Record<string, OpenApiResponse>>
  readonly deprecated?: true
  /** The day of removal, as `2030-12-05`. */
  readonly 'x-sunset'?: string
  readonly 'x-stability'?: 'experimental' | 'beta'
}

/** A parameter in the query, the path or a header. */
export interface OpenApiParameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: true
  readonly description: string
  readonly schema: OpenApiSchema
}

/** A response of an operation. */
export interface OpenApiResponse {
  /** Markdown. */
  readonly description: string
  /** By name. */
  readonly headers: Readonly<Record<string, OpenApiHeader | OpenApiReference>>
  /** Absent for a response without a body. */
  readonly content?: OpenApiContent
}

/** A header of a response. */
export interface OpenApiHeader {
  readonly description: string
  readonly required?: boolean
  readonly schema: OpenApiSchema
  readonly example: string | number
}

/** The body of a request or a response: always JSON. */
export interface OpenApiContent {
  readonly 'application/json': {
    readonly schema: OpenApiSchema
    /** By the Error's code. */
    readonly examples?: Readonly<Record<string, { readonly value: OpenApiError }>>
  }
}

/** The schemas of spec 2. */
export type OpenApiSchemas = Readonly<Record<'PetStatus' | 'NewPet' | 'Pet' | 'Pets', OpenApiSchema>> & {
  readonly Error: OpenApiErrorSchema
}

/** The schema of Error bodies, with examples. */
export interface OpenApiErrorSchema extends OpenApiSchema {
  /** Every Error of the interface. */
  readonly examples: readonly OpenApiError[]
}

/** An Error body (spec 2). */
export interface OpenApiError {
  readonly code: string
  readonly message: string
  readonly status: number
}

/** A reference to one of the components. */
export interface OpenApiReference {
  /** Such as `#/components/schemas/Pet`. */
  readonly $ref: string
}

/** The part of JSON Schema (draft 2020-12) that the bodies and parameters need. */
export interface OpenApiSchema {
  readonly $ref?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer'
  readonly format?: 'int64'
  readonly description?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly default?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly items?: OpenApiSchema
  readonly allOf?: readonly OpenApiSchema[]
  readonly examples?: readonly unknown[]
}
