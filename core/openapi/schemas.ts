import type { ErrorCode } from '../http/errors.ts'
import { ApiError, petStatuses } from '../index.ts'

/** A part of the description, which is JSON as OpenAPI 3.1 has it (https://spec.openapis.org/oas/v3.1.0). */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns a reference to a schema. */
export function findSchema(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

const newPet = { name: 'Mia', categoryId: 3, status: 'available' }
const pet = { id: 7, ...newPet }

/** Returns the schema of an int64. Generators make it a double unless its description says otherwise. */
function int64(meaning: string): JsonObject {
  const description = `${meaning}: an int64, which may exceed 2^53: do not parse it as a double`
  return { type: 'integer', format: 'int64', description }
}

/** Returns the body of an Error, with its usual message. */
export function createErrorBody(code: ErrorCode): JsonObject {
  return JSON.parse(new ApiError(code).toJson())
}

/** Returns the schemas of all bodies (spec 2). `codes` are the current codes of the Errors of the service. */
export function schemas(maxNameLength: number | null, codes: readonly ErrorCode[]): JsonObject {
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
        categoryId: int64('Id of the category the animal belongs to'),
        status: findSchema('PetStatus'),
      },
      examples: [newPet],
    },
    Pet: {
      allOf: [
        findSchema('NewPet'),
        {
          type: 'object',
          required: ['id'],
          properties: { id: int64('Unique identifier assigned by the service') },
        },
      ],
      examples: [pet],
    },
    Pets: { type: 'array', items: findSchema('Pet'), examples: [[pet]] },
    Error: {
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: {
        code: {
          type: 'string',
          description:
            'Machine-readable error code. The examples have those of this version: later ones may have more, and a client treats a code that it does not know by its status',
        },
        message: { type: 'string', description: 'Human-readable description' },
        status: { type: 'integer', description: 'The HTTP status code' },
      },
      examples: codes.map(createErrorBody),
    },
  }
}
