import { findBodyError, parseJsonBody } from '../http/body.ts'
import { ApiError, Misuse } from '../http/errors.ts'
import type { Result } from '../http/result.ts'
import { createCreationKey, createGate, idempotencyKeyValue, readToken } from '../pets/idempotency.ts'
import { invalidPet, readNewPet } from '../pets/new-pet.ts'
import { type NewPet, type Pet, petToJson } from '../pets/pet.ts'
import type { CreateOnceResult, PetStore } from '../pets/store.ts'
import type { Operation, OperationSettings } from './operation.ts'

export const createPet: Operation<'createPet'> = {
  id: 'createPet',
  method: 'POST',
  path: '/pets',
  effect: 'writes',
  summary: 'Add an animal',
  description: 'The response has the animal with its id.',
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Your value for this animal, such as a UUID: 1 to 255 visible ASCII characters without `"` and `\\`, in quotes or not. A request with the same value and body adds no second animal: the first response is repeated',
      schema: { type: 'string', pattern: idempotencyKeyValue.source },
      example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    },
  ],
  body: 'NewPet',
  success: { status: 201, description: 'The animal that was added, with its id', schema: 'Pet' },
  errors: [
    'invalid_json',
    'invalid_pet',
    'body_too_large',
    'unsupported_media_type',
    'invalid_idempotency_key',
    'idempotency_key_in_use',
    'idempotency_key_reused',
  ],
  isSupported: () => true,

  createHandler(settings) {
    const { store, defaultStatus, maxBodyBytes, maxNameLength, validate } = settings
    const supportsIdempotency = settings.idempotency !== false && store.createOnce !== undefined
    const createOnce = createIdempotentCreator(settings)

    return async ({ request, caller }) => {
      const token = supportsIdempotency ? readToken(request, caller) : undefined
      if (token instanceof ApiError) return token
      const rejected = findBodyError(request, maxBodyBytes)
      if (rejected) return rejected
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

/** Creates the function that creates an animal for a token, or repeats the result of its first creation. */
function createIdempotentCreator(
  settings: OperationSettings,
): (pet: NewPet, token: string) => Promise<Result> {
  const { clock, idempotency, validate } = settings
  const store = settings.store as Required<PetStore> // called only if the store has createOnce and so findCreated
  const gate = createGate()
  return (pet, token) =>
    gate(token, async () => {
      const key = createCreationKey(token, pet, idempotency || {}, clock()) // never false here
      // A repeated creation is not validated again. Without `validate`, `createOnce` itself finds it.
      const earlier = validate && (await store.findCreated(key))
      if (earlier) return toOnceResult(pet, earlier)
      const error = validate && (await findValidationError(pet, validate))
      return error ?? toOnceResult(pet, await store.createOnce(pet, key))
    })
}

/** Returns the error of an animal that the option `validate` does not accept. */
async function findValidationError(pet: NewPet, validate: Validate): Promise<ApiError | undefined> {
  const problems = await validate(pet)
  if (!Array.isArray(problems) || problems.some((problem) => typeof problem !== 'string'))
    throw new Misuse('options.validate must return a list of texts')
  return problems.length > 0 ? invalidPet(problems) : undefined
}

function toResult(pet: Pet, rawHeaders: readonly string[] = []): Result {
  return { status: 201, body: petToJson(pet), rawHeaders }
}

/** A replayed body equals the body of the first response, because equal fingerprints mean equal animals. */
function toOnceResult(pet: NewPet, result: CreateOnceResult): Result {
  if (result.outcome === 'reused') return new ApiError('idempotency_key_reused')
  if (result.outcome === 'created') return toResult({ ...pet, id: result.id })
  if (result.outcome === 'replayed')
    return toResult({ ...pet, id: result.id }, ['Idempotency-Replayed', 'true'])
  throw new TypeError('createOnce and findCreated of the store must return an outcome')
}
