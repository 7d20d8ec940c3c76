import { int64OfDecimal } from '../base/int64.ts'
import { chain, type MaybePromise } from '../base/maybe-promise.ts'
import { bodyError, parseJsonBody } from '../http/body.ts'
import { ApiError, Misuse } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import type { OperationId } from '../http/operations.ts'
import { createTurns, creationKey, tokenOf } from '../pets/idempotency.ts'
import { invalidPet, readNewPet } from '../pets/new-pet.ts'
import { pageOf } from '../pets/page-cache.ts'
import { type NewPet, numberOf, type Pet, petToJson } from '../pets/pet.ts'
import { readPetQuery } from '../pets/query.ts'
import type { CreateOnceResult, PetStore } from '../pets/store.ts'
import type { ServiceSettings } from './options.ts'

/** The result of a request, without the headers that every response has. */
export type Result = ApiError | Success

/** The result of an operation, or of a preflight. */
interface Success {
  readonly status: 200 | 201 | 204
  /** Undefined with a 204. */
  readonly body: string | undefined
  /** The length of the body in UTF-8, if it is known. */
  readonly bodyBytes?: number | undefined
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
}

/** Performs an operation: `parameter` is the text in its place in the path, and `caller` the id of the caller. */
export type Handler = (
  request: ServiceRequest,
  target: { readonly query: string | undefined; readonly parameter: string; readonly caller: string },
) => MaybePromise<Result>

/** Creates the handlers of the three operations (spec 4). */
export function createHandlers(settings: ServiceSettings): Readonly<Record<OperationId, Handler>> {
  const { store, basePath, clock, defaultStatus, idempotency, maxBodyBytes, maxNameLength, validate } =
    settings
  const supportsIdempotency = idempotency !== false && store.createOnce !== undefined
  const onceStore = store as Required<PetStore> // only used where supportsIdempotency is true; findCreated comes with createOnce
  const inTurn = createTurns()
  /** The query of the last list, and what it asks for: it is often the same, and parsing takes time. */
  let latest: string | undefined
  let asked = readPetQuery(latest)

  function create(pet: NewPet): MaybePromise<Result> {
    return chain(store.create(pet), single, 201)
  }

  function whenValid(pet: NewPet, next: () => MaybePromise<Result>): MaybePromise<Result> {
    return chain(validate?.(pet), (problems) => {
      if (!problems?.every?.((problem) => typeof problem === 'string'))
        throw new Misuse('options.validate must return a list of texts')
      return problems.length > 0 ? invalidPet(problems) : next()
    })
  }

  /** Creates an animal for a client that may send its request again, which is then not validated again. */
  function createOnce(pet: NewPet, token: string): MaybePromise<Result> {
    const key = creationKey(token, pet, idempotency || {}, clock())
    const respond = (result: CreateOnceResult) => once(pet, result)
    const createValid = () => chain(onceStore.createOnce(pet, key), respond)
    if (!validate) return createValid()
    return chain(onceStore.findCreated(key), (earlier) =>
      earlier ? respond(earlier) : whenValid(pet, createValid),
    )
  }

  return {
    listPets: (_request, { query }) => {
      if (query !== latest) {
        latest = query
        asked = readPetQuery(query)
      }
      if (asked instanceof ApiError) return asked
      const { limit, status } = asked
      const page = store.page
        ? store.page({ ...asked })
        : chain(store.list({ ...asked, limit: limit + 1 }), (pets) => pageOf(pets, limit))
      return chain(page, ({ json: body, bytes: bodyBytes, next }) => {
        const filter = status ? `&status=${status}` : ''
        if (next === undefined) return { status: 200, body, bodyBytes, rawHeaders: [] }
        const link = `<${basePath}/pets?limit=${limit}${filter}&after=${numberOf(next)}>; rel="next"` // RFC 8288
        return { status: 200, body, bodyBytes, rawHeaders: ['Link', link] }
      })
    },

    createPet: (request, { caller }) => {
      const token = supportsIdempotency ? tokenOf(request, caller) : undefined
      if (token instanceof ApiError) return token
      return (
        bodyError(request, maxBodyBytes) ??
        chain(request.body(maxBodyBytes), (bytes) => {
          const body = parseJsonBody(bytes, maxBodyBytes)
          const pet = body instanceof ApiError ? body : readNewPet(body, maxNameLength, defaultStatus)
          if (pet instanceof ApiError) return pet
          if (token !== undefined) return inTurn(token, () => createOnce(pet, token))
          return validate ? whenValid(pet, () => create(pet)) : create(pet)
        })
      )
    },

    getPet: (_request, { parameter }) => {
      const id = int64OfDecimal(parameter)
      const found = id === undefined ? undefined : store.get(id)
      return chain(found, (pet) => (pet ? single(pet, 200) : new ApiError('pet_not_found')))
    },
  }
}

function single(pet: Pet, status: 200 | 201, rawHeaders: readonly string[] = []): Result {
  return { status, body: petToJson(pet), rawHeaders }
}

/** The body is that of the first response, because an equal fingerprint means an equal animal. */
function once(pet: NewPet, result: CreateOnceResult): Result {
  if (result.outcome === 'reused') return new ApiError('idempotency_key_reused')
  const rawHeaders = result.outcome === 'replayed' ? ['Idempotency-Replayed', 'true'] : []
  return single({ ...pet, id: result.id }, 201, rawHeaders)
}
