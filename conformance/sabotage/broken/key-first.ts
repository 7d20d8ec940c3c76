import { allOf, isCreate, isGet, isList, queryIs, replaceResponse, type When } from '../change.ts'
import { requestJson } from '../edit.ts'
import { callerOf, errorResponse } from '../exchange.ts'
import { isObject } from '../json.ts'
import type { Broken } from '../variant.ts'

const isAnonymous: When = (request) => callerOf(request) === 'anonymous'
const hasKey: When = ({ authorization }) => authorization !== undefined
/** getPet of an id that no animal of the reference deployment has. */
const isUnknownGet: When = (request) => isGet(request) && /^\d{15,}$/.test(request.petId)
const isInvalidCreate: When = (request) => {
  const body = requestJson(request)
  return isCreate(request) && !(isObject(body) && 'name' in body && 'categoryId' in body)
}

/** Variants that check something else before the key. */
export const brokenKeyFirst: readonly Broken[] = [
  {
    rule: 'AUTH-13',
    does: 'validates the limit before the key',
    change: replaceResponse([401], allOf(isList, isAnonymous, queryIs('limit', '0')), errorResponse(400)),
  },
  {
    rule: 'AUTH-13',
    does: 'looks up the animal before it checks the key',
    profile: 'read',
    change: replaceResponse([401], allOf(isUnknownGet, isAnonymous), errorResponse(404)),
  },
  {
    rule: 'AUTH-14',
    does: 'validates the body before the key',
    change: replaceResponse([401], allOf(isInvalidCreate, isAnonymous), errorResponse(400)),
  },
  {
    rule: 'AUTH-14',
    does: 'validates the body before it rejects an unknown key',
    change: replaceResponse([401], allOf(isInvalidCreate, isAnonymous, hasKey), errorResponse(400)),
  },
]
