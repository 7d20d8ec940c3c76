// The parts of core that only the adapters and the OpenAPI description use. No entry of the package leads here.

export { int64OfDecimal, int64OfJsonNumber } from './base/int64.ts'
export { isObject, type JsonDocument, parseJson } from './base/json.ts'
export { chain, type MaybePromise } from './base/maybe-promise.ts'
export {
  aFunction,
  anyValue,
  checkOptions,
  isWhole,
  type OptionRule,
  withoutUndefined,
} from './base/options.ts'
export { digest, hexOfDigest } from './base/sha256.ts'
export { isApiError, isUnavailable, Misuse, unavailablePart } from './http/errors.ts'
export { httpError } from './http/http-error.ts'
export { deprecationFields } from './http/operations.ts'
export { parseTarget, type Target } from './http/target.ts'
export { type DigestKeyStore, findByDigest } from './keys/auth.ts'
export { isTime, keyMembers } from './keys/keys.ts'
export { networkOf } from './limits/address.ts'
export { createClientReader } from './limits/client-address.ts'
export { rateLimitHeaders, tooManyRequests } from './limits/headers.ts'
export { limitsOf, maxRequests, readPlans } from './limits/plans.ts'
export { defaultMaxNameLength, problemOfName, readNewPet } from './pets/new-pet.ts'
export { createPageCache } from './pets/page-cache.ts'
export { requireImportableId } from './pets/pet.ts'
export { storeByEffect, wrapStore } from './pets/store.ts'
export { internalsOf, type Peer, type ServiceInternals } from './pipeline/for-mounts.ts'
export { checkServiceOptions, describedDefaults } from './pipeline/options.ts'
