import {
  allOf,
  always,
  editQuery,
  editRequest,
  editResponse,
  initially,
  isAnonymous,
  isCreate,
  isGet,
  isList,
  not,
  on,
  queryIs,
  type When,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { type ApiResponse, errorResponse, jsonResponse } from '../exchange.ts'
import { type Faulty, faultyBy } from '../variant.ts'
import { mainKey } from '../world.ts'

const isEmptyObject: When = ({ body }) => body === '{}'
const created = jsonResponse(201, { id: 5000n, name: 'Ada', categoryId: 1n })

/** Sends one response to every request of an operation that has a key. */
const fails = (operation: When, response: ApiResponse): Change =>
  editResponse(allOf(operation, not(isAnonymous)), response)
/** Sends another response to invalid bodies: to all, or to some. */
const invalid = (response: ApiResponse, when: When = always): Change =>
  on(400, allOf(isCreate, when), response)

/** Deployments in which an operation, the check of keys, validation or a parameter fails as a whole. */
export const faultyOperations: readonly Faulty[] = faultyBy({
  'listPets-fails': {
    shows: { 'fails to list': fails(isList, errorResponse(500)) },
    nearly: {
      'fails to list by status': editResponse(allOf(isList, not(queryIs('status'))), errorResponse(500)),
    },
  },
  'getPet-fails': {
    shows: { 'lacks getPet': fails(isGet, errorResponse(404)) },
    nearly: { 'is empty': initially({ animals: [] }) },
  },
  'createPet-fails': {
    shows: { 'lacks createPet': fails(isCreate, errorResponse(405)) },
  },
  'no-authentication': {
    shows: { 'checks no key': editRequest(isAnonymous, { authorization: `Bearer ${mainKey}` }) },
  },
  'unauthorized-status': {
    shows: { 'returns 403 without a key': editResponse(isAnonymous, errorResponse(403)) },
    nearly: {
      'returns 401 with another message': editResponse(
        isAnonymous,
        errorResponse(401, 'who', 'Who are you?', { 'www-authenticate': 'Bearer' }),
      ),
    },
  },
  'creations-rejected': {
    shows: {
      'knows no category': fails(
        isCreate,
        errorResponse(400, 'unknown_category', 'There is no such category.'),
      ),
    },
    nearly: {
      'rejects one status': editResponse(
        allOf(isCreate, ({ body }) => body.includes('pending')),
        errorResponse(400),
      ),
    },
  },
  'validation-status': {
    shows: { 'rejects invalid bodies with 422': invalid(errorResponse(422)) },
    nearly: { 'rejects one invalid body with 422': invalid(errorResponse(422), isEmptyObject) },
  },
  'validation-crash': {
    shows: { 'crashes on invalid bodies': invalid(errorResponse(500)) },
    nearly: { 'crashes on one invalid body': invalid(errorResponse(500), isEmptyObject) },
  },
  'no-validation': {
    shows: { 'accepts every body': invalid(created, not(isAnonymous)) },
    nearly: { 'accepts one invalid body': invalid(created, isEmptyObject) },
  },
  'filter-ignored': {
    shows: { 'ignores the filter': editQuery(isList, { status: undefined }) },
    nearly: {
      'ignores the filter for one status': editQuery(
        allOf(isList, queryIs('status', 'sold'), queryIs('limit')),
        { status: undefined },
      ),
    },
  },
  'limit-ignored': {
    shows: { 'ignores the limit': editQuery(isList, { limit: undefined }) },
    nearly: {
      'ignores one limit': editQuery(allOf(isList, queryIs('limit', '1'), queryIs('status')), {
        limit: undefined,
      }),
    },
  },
})
