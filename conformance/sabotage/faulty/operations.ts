import {
  always,
  editRequest,
  editResponse,
  isCreate,
  isGet,
  isList,
  type When,
  withAnimals,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { replaced } from '../edit.ts'
import { errorResponse, jsonResponse } from '../exchange.ts'
import { type Faulty, hasKey, lacksKey, respond } from './faulty.ts'

const rejects = (status: number, when: When = always): Change =>
  editResponse(isCreate, (response, request) =>
    response.status === 400 && when(request) ? replaced(response, errorResponse(status)) : response,
  )

const accepts = (isAccepted: When): Change =>
  editResponse(isCreate, (response, request) =>
    response.status === 400 && isAccepted(request)
      ? replaced(response, jsonResponse(201, { id: 5000n, name: 'Ada', categoryId: 1n }))
      : response,
  )

const forgets = (name: string, when: When = always): Change =>
  editRequest(
    (request) => isList(request) && when(request),
    (request) => {
      const { [name]: _, ...query } = request.query
      return { ...request, query }
    },
  )

/** Deployments in which an operation, the check of keys, validation or a parameter fails as a whole. */
export const faultyOperations: readonly Faulty[] = [
  {
    cause: 'listPets-fails',
    does: 'fails to list',
    server: respond((request) => isList(request) && hasKey(request), errorResponse(500)),
    nearly: 'fails to list by status',
    near: respond((request) => isList(request) && request.query.status !== undefined, errorResponse(500)),
  },
  {
    cause: 'getPet-fails',
    does: 'lacks getPet',
    server: respond((request) => isGet(request) && hasKey(request), errorResponse(404)),
    nearly: 'is empty',
    near: withAnimals([]),
  },
  {
    cause: 'createPet-fails',
    does: 'lacks createPet',
    server: respond((request) => isCreate(request) && hasKey(request), errorResponse(405)),
    nearly: 'has createPet',
    near: {},
    profile: 'create',
  },
  {
    cause: 'no-authentication',
    does: 'checks no key',
    server: editRequest(lacksKey, (request) => ({ ...request, authorization: 'Bearer reference-main-key' })),
    nearly: 'checks every key',
    near: {},
  },
  {
    cause: 'unauthorized-status',
    does: 'returns 403 without a key',
    server: respond(lacksKey, errorResponse(403)),
    nearly: 'returns 401 with another message',
    near: respond(lacksKey, errorResponse(401, 'who', 'Who are you?', { 'www-authenticate': 'Bearer' })),
  },
  {
    cause: 'creations-rejected',
    does: 'knows no category',
    server: respond(
      (request) => isCreate(request) && hasKey(request),
      errorResponse(400, 'unknown_category', 'There is no such category.'),
    ),
    nearly: 'rejects one status',
    near: respond((request) => isCreate(request) && request.body.includes('pending'), errorResponse(400)),
    profile: 'create',
  },
  {
    cause: 'validation-status',
    does: 'rejects invalid bodies with 422',
    server: rejects(422),
    nearly: 'rejects one invalid body with 422',
    near: rejects(422, (request) => request.body === '{}'),
    profile: 'create',
  },
  {
    cause: 'validation-crash',
    does: 'crashes on invalid bodies',
    server: rejects(500),
    nearly: 'crashes on one invalid body',
    near: rejects(500, (request) => request.body === '{}'),
    profile: 'create',
  },
  {
    cause: 'no-validation',
    does: 'accepts every body',
    server: accepts(hasKey),
    nearly: 'accepts one invalid body',
    near: accepts((request) => request.body === '{}'),
    profile: 'create',
  },
  {
    cause: 'filter-ignored',
    does: 'ignores the filter',
    server: forgets('status'),
    nearly: 'ignores the filter for one status',
    near: forgets(
      'status',
      (request) => request.query.status === 'sold' && request.query.limit === undefined,
    ),
  },
  {
    cause: 'limit-ignored',
    does: 'ignores the limit',
    server: forgets('limit'),
    nearly: 'ignores one limit',
    near: forgets('limit', (request) => request.query.limit === '1' && request.query.status === undefined),
  },
]
