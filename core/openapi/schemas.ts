import { type ErrorCode, errors, petStatuses } from '../index.ts'
import type { DescribedOptions } from '../pipeline/options.ts'
import type { OpenApiError, OpenApiReference, OpenApiSchema, OpenApiSchemas } from './document.ts'

/** The schema of an int64. */
export const int64: OpenApiSchema = { type: 'integer', format: 'int64' }

const newPet = { name: 'Mia', categoryId: 3, status: 'available' }
const pet = { id: 7, ...newPet }

/** The options by which the interface is described. */
export interface DescribedSettings extends Required<Omit<DescribedOptions, 'idempotency' | 'store'>> {
  /** Whether the service accepts an `Idempotency-Key`. */
  readonly supportsIdempotency: boolean
}

/** The errors of a service that accepts an `Idempotency-Key`. */
export const idempotencyErrors: readonly ErrorCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_in_use',
  'idempotency_key_reused',
]

/** The body of every Error. */
export const errorBodies: readonly (OpenApiError & { readonly code: ErrorCode })[] = (
  Object.keys(errors) as ErrorCode[]
) // the keys of the record
  .map((code) => ({ code, message: errors[code][1], status: errors[code][0] }))

/** Returns the schemas of all bodies (spec 2). */
export function schemas({ maxNameLength, supportsIdempotency }: DescribedSettings): OpenApiSchemas {
  const bodies = errorBodies.filter(({ code }) => supportsIdempotency || !idempotencyErrors.includes(code))
  return {
    PetStatus: { type: 'string', description: 'Availability status', enum: petStatuses },
    NewPet: {
      type: 'object',
      required: ['name', 'categoryId'],
      properties: {
        name: {
          type: 'string',
          description: "The animal's name",
          ...(maxNameLength !== null && { maxLength: maxNameLength }),
        },
        categoryId: { ...int64, description: 'Id of the category the animal belongs to' },
        status: toSchema('PetStatus'),
      },
      examples: [newPet],
    },
    Pet: {
      allOf: [
        toSchema('NewPet'),
        {
          type: 'object',
          required: ['id'],
          properties: { id: { ...int64, description: 'Unique identifier assigned by the service' } },
        },
      ],
      examples: [pet],
    },
    Pets: { type: 'array', items: toSchema('Pet'), examples: [[pet]] },
    Error: {
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: {
        code: {
          type: 'string',
          description: 'Machine-readable error code',
          enum: bodies.map(({ code }) => code),
        },
        message: { type: 'string', description: 'Human-readable description' },
        status: { type: 'integer', description: 'The HTTP status code' },
      },
      examples: bodies,
    },
  }
}

/** Returns a reference to a schema. */
export function toSchema(name: keyof OpenApiSchemas): OpenApiReference {
  return { $ref: `#/components/schemas/${name}` }
}
