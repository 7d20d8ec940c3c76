import { int64OfDecimal } from '../base/int64.ts'
import { chain, type MaybePromise } from '../base/maybe-promise.ts'
import { bodyError, parseJsonBody } from '../http/body.ts'
import { ApiError, Misuse } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import type { OperationId } from '../http/operations.ts'
import { createTurns, creationKey, tokenOf } from '../pets/idempotency.ts'
import { invalidPet, readNewPet } from '../pets/new-pet.ts'
import { pageOf } from '../pets/page-cache.ts'
import { type NewPet, type Pet, petToJson } from '../pets/pet.ts'
import { readPetQuery } from '../pets/query.ts'
import type { CreateOnceResult, PetStore } from '../pets/store.ts'
import type { ServiceSettings } from './options.ts'

/** The result of an operation, without the headers that every response has. */
export interface OperationResult {
  readonly status: 200 | 201 | 204
  /** Undefined with a 204. */
  readonly body: string | undefined
  /** The length of the body in UTF-8, if it is known. */
  readonly bodyBytes?: number | undefined
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

/** The parts of a request target that an operation reads. */
export interface Arguments {
  readonly query: string | undefined
  /** The text in the place of the path parameter, percent-decoded. */
  readonly parameter: string
  /** The id of the caller. */
  readonly caller: string
}

/** Performs an operation. */
export type Handler = (request: ServiceRequest, args: Arguments) => MaybePromise<OperationResult | ApiError>

/** Creates the handlers of the three operations (spec 4). */
export function createHandlers(settings: ServiceSettings): Readonly<Record<OperationId, Handler>> {
  const { store, basePath, clock, defaultStatus, idempotency, maxBodyBytes, maxNameLength, validate } =
    settings
  const supportsIdempotency = idempotency !== false && store.createOnce !== undefined
  const onceStore = store as Required<PetStore> // only used where supportsIdempotency is true; findCreated comes with createOnce
  const inTurn = createTurns()
  /** The query of the last list, and what it asks for: parsing takes a twentieth of a list of 100, and often it is the same one. */
  let latest: string | undefined
  let asked = readPetQuery(latest)

  function complete(pet: NewPet): NewPet {
    return pet.status === undefined && defaultStatus !== null ? { ...pet, status: defaultStatus } : pet
  }

  function create(pet: NewPet): MaybePromise<OperationResult | ApiError> {
    return chain(store.create(complete(pet)), (created) => single(201, created))
  }

  function whenValid(
    pet: NewPet,
    next: () => MaybePromise<OperationResult | ApiError>,
  ): MaybePromise<OperationResult | ApiError> {
    if (!validate) return next()
    return chain(validate(pet), (problems) => {
      if (!problems?.every?.((problem) => typeof problem === 'string'))
        throw new Misuse('options.validate must return a list of texts')
      return problems.length > 0 ? invalidPet(problems) : next()
    })
  }

  /** Creates an animal for a client that may send its request again. A request that is sent again is not validated again. */
  function createOnce(newPet: NewPet, token: string): MaybePromise<OperationResult | ApiError> {
    const pet = complete(newPet)
    const key = creationKey(token, pet, idempotency || {}, clock())
    const respond = (result: CreateOnceResult) => once(pet, result)
    const createValid = () => chain(onceStore.createOnce(pet, key), respond)
    if (!validate) return createValid()
    return chain(onceStore.findCreated(key), (earlier) =>
      earlier ? respond(earlier) : whenValid(newPet, createValid),
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
        const link = `<${basePath}/pets?limit=${limit}${filter}&after=${next}>; rel="next"` // RFC 8288
        return { status: 200, body, bodyBytes, headers: next === undefined ? [] : ['Link', link] }
      })
    },

    createPet: (request, { caller }) => {
      const token = supportsIdempotency ? tokenOf(request, caller) : undefined
      if (token instanceof ApiError) return token
      return (
        bodyError(request, maxBodyBytes) ??
        chain(request.body(maxBodyBytes), (bytes) => {
          const body = parseJsonBody(bytes, maxBodyBytes)
          const pet = body instanceof ApiError ? body : readNewPet(body, maxNameLength)
          if (pet instanceof ApiError) return pet
          if (token !== undefined) return inTurn(token, () => createOnce(pet, token))
          return validate ? whenValid(pet, () => create(pet)) : create(pet)
        })
      )
    },

    getPet: (_request, { parameter }) => {
      const id = int64OfDecimal(parameter)
      const found = id === undefined ? undefined : store.get(id)
      return chain(found, (pet) => (pet ? single(200, pet) : new ApiError('pet_not_found')))
    },
  }
}

function single(status: 200 | 201, pet: Pet): OperationResult {
  return { status, body: petToJson(pet), headers: [] }
}

/** The body is that of the first response, because an equal fingerprint means an equal animal. */
function once(pet: NewPet, result: CreateOnceResult): OperationResult | ApiError {
  if (result.outcome === 'reused') return new ApiError('idempotency_key_reused')
  const created = single(201, { ...pet, id: result.id })
  return result.outcome === 'created' ? created : { ...created, headers: ['Idempotency-Replayed', 'true'] }
}
