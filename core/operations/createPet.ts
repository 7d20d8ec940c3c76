import { findBodyError, parseJsonBody } from '../http/body.ts'
import { ApiError, MisuseError } from '../http/errors.ts'
import type { Result } from '../http/result.ts'
import {
  createConcurrencyGuard,
  createCreationKey,
  idempotencyKeyPattern,
  readToken,
} from '../pets/idempotency.ts'
import { createInvalidPetError, readNewPet } from '../pets/new-pet.ts'
import { type NewPet, type Pet, petToJson } from '../pets/pet.ts'
import type { CreateOnceResult, PetStore } from '../pets/store.ts'
import type { Operation, OperationSettings } from './operation.ts'

export const createPet: Operation<'createPet', ['create']> = {
  id: 'createPet',
  method: 'POST',
  path: '/pets',
  requires: ['create'],
  summary: 'Add an animal',
  description: 'Returns the animal with its id.',
  describeOptions: ({ defaultStatus }) =>
    `Without a status, the animal ${defaultStatus === null ? 'has none' : `is ${defaultStatus}`}.`,
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'A unique value for this animal, such as a UUID. If you repeat a request with the same value and body, no second animal is added, and the first response is returned again',
      schema: { type: 'string', pattern: idempotencyKeyPattern.source },
      example: 'order-4711',
    },
  ],
  body: 'NewPet',
  success: {
    status: 201,
    description: 'The new animal, with its id',
    schema: 'Pet',
    headers: [
      {
        name: 'Idempotency-Replayed',
        description: 'Present if an earlier request with the same idempotency key added the animal',
        example: 'true',
      },
    ],
  },
  errors: [
    'invalid_json',
    'invalid_pet',
    'body_too_large',
    'unsupported_media_type',
    'invalid_idempotency_key',
    'idempotency_key_in_use',
    'idempotency_key_reused',
  ],

  createHandler(settings) {
    const { store, defaultStatus, maxBodyBytes, maxNameLength, validate } = settings
    const supportsIdempotency = settings.idempotency !== false && store.createOnce !== undefined
    const createOnce = createIdempotentCreate(settings)

    return async ({ request, caller }) => {
      const token = supportsIdempotency ? readToken(request, caller) : undefined
      if (token instanceof ApiError) return token
      const bodyRejection = findBodyError(request, maxBodyBytes)
      if (bodyRejection) return bodyRejection
      const body = parseJsonBody(await request.body(maxBodyBytes), maxBodyBytes)
      const pet = body instanceof ApiError ? body : readNewPet(body, maxNameLength, defaultStatus)
      if (pet instanceof ApiError) return pet
      if (token !== undefined) return createOnce(pet, token)
      const error = validate && (await findValidationError(pet, validate))
      return error ?? toResult(await store.create(pet))
    }
  },
}

type Validate = Required<OperationSettings>['validate']

/** Creates the function that adds an animal at most once per idempotency key. */
function createIdempotentCreate(
  settings: OperationSettings,
): (pet: NewPet, token: string) => Promise<Result> {
  const { clock, idempotency, validate } = settings
  const store = settings.store as Required<PetStore> // only called if `createOnce` exists
  const gate = createConcurrencyGuard()
  return (pet, token) =>
    gate(token, async () => {
      const key = createCreationKey(token, pet, idempotency || {}, clock()) // `idempotency` is not false here
      // A repeated creation is not validated again. Without `validate`, `createOnce` finds it.
      const earlierCreation = validate && (await store.findCreated(key))
      if (earlierCreation) return toOnceResult(pet, earlierCreation)
      const error = validate && (await findValidationError(pet, validate))
      return error ?? toOnceResult(pet, await store.createOnce(pet, key))
    })
}

async function findValidationError(pet: NewPet, validate: Validate): Promise<ApiError | undefined> {
  const problems = await validate(pet)
  if (!Array.isArray(problems) || problems.some((problem) => typeof problem !== 'string'))
    throw new MisuseError('options.validate must return an array of strings')
  return problems.length > 0 ? createInvalidPetError(problems) : undefined
}

function toResult(pet: Pet, rawHeaders: readonly string[] = []): Result {
  return { status: 201, body: petToJson(pet), rawHeaders }
}

function toOnceResult(pet: NewPet, result: CreateOnceResult): Result {
  if (result.outcome === 'reused') return new ApiError('idempotency_key_reused')
  if (result.outcome === 'created') return toResult({ ...pet, id: result.id })
  if (result.outcome === 'replayed')
    return toResult({ ...pet, id: result.id }, ['Idempotency-Replayed', 'true'])
  throw new TypeError('store.createOnce and store.findCreated must return an object with an outcome')
}
