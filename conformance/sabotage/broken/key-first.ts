import { allOf, isCreate, isGet, isList, queryIs, replaceResponse, type When } from '../change.ts'
import { requestJson } from '../edit.ts'
import { callerOf, errorResponse } from '../exchange.ts'
import { isObject } from '../json.ts'
import { type Broken, brokenBy } from '../variant.ts'

const isAnonymous: When = (request) => callerOf(request) === 'anonymous'
const hasKey: When = ({ authorization }) => authorization !== undefined
/** getPet of an id that no animal of the reference deployment has. */
const isUnknownGet: When = (request) => isGet(request) && /^\d{15,}$/.test(request.petId)
const isInvalidCreate: When = (request) => {
  const body = requestJson(request)
  return isCreate(request) && !(isObject(body) && 'name' in body && 'categoryId' in body)
}

/** Variants that check something else before the key. */
export const brokenKeyFirst: readonly Broken[] = brokenBy({
  'AUTH-13': {
    'validates the limit before the key': replaceResponse(
      [401],
      allOf(isList, isAnonymous, queryIs('limit', '0')),
      errorResponse(400),
    ),
    'looks up the animal before it checks the key': {
      profile: 'read',
      ...replaceResponse([401], allOf(isUnknownGet, isAnonymous), errorResponse(404)),
    },
  },
  'AUTH-14': {
    'validates the body before the key': replaceResponse(
      [401],
      allOf(isInvalidCreate, isAnonymous),
      errorResponse(400),
    ),
    'validates the body before it rejects an unknown key': replaceResponse(
      [401],
      allOf(isInvalidCreate, isAnonymous, hasKey),
      errorResponse(400),
    ),
  },
})
