import type { ErrorCode } from '../http/errors.ts'
import { ApiError, petStatuses } from '../index.ts'

/** An object in the OpenAPI 3.1 description (https://spec.openapis.org/oas/v3.1.0). */
export type JsonObject = Readonly<Record<string, unknown>>

/** Creates a reference to a schema. */
export function createSchemaReference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

const newPet = { name: 'Mia', categoryId: 3, status: 'available' }
const pet = { id: 7, ...newPet }

function createInt64Schema(meaning: string): JsonObject {
  const description = `${meaning}. An int64 may exceed 2^53, so do not parse it as a double`
  return { type: 'integer', format: 'int64', description }
}

/** Creates an example error body. */
export function createErrorBody(code: ErrorCode): JsonObject {
  return JSON.parse(new ApiError(code).toJson())
}

/**
 * Creates all schemas (spec 2).
 *
 * @param maxNameLength - Maximum name length, or `null` for no limit.
 * @param codes - Error codes that the service uses.
 */
export function createSchemas(maxNameLength: number | null, codes: readonly ErrorCode[]): JsonObject {
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
        categoryId: createInt64Schema('Id of the category the animal belongs to'),
        status: createSchemaReference('PetStatus'),
      },
      examples: [newPet],
    },
    Pet: {
      allOf: [
        createSchemaReference('NewPet'),
        {
          type: 'object',
          required: ['id'],
          properties: { id: createInt64Schema('Unique identifier assigned by the service') },
        },
      ],
      examples: [pet],
    },
    Pets: { type: 'array', items: createSchemaReference('Pet'), examples: [[pet]] },
    Error: {
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: {
        code: {
          type: 'string',
          description:
            'Machine-readable error code. The examples show all codes in this version. Later versions may add codes, so handle an unknown code by its status',
        },
        message: { type: 'string', description: 'Human-readable description' },
        status: { type: 'integer', description: 'The HTTP status code' },
      },
      examples: codes.map(createErrorBody),
    },
  }
}
