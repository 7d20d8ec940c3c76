// The parts of core that only the adapters and the OpenAPI description use. No entry of the package leads here.
export { type DigestKeyStore, findByDigest } from './auth.ts'
export { type CreationRow, creationValues, expiredAtOnce, resultOfRow } from './creation-row.ts'
export { deprecationFields } from './deprecation.ts'
export { isApiError } from './errors.ts'
export { httpError } from './http-error.ts'
export { requireImportableId } from './imported-id.ts'
export { int64OfDecimal, int64OfJsonNumber } from './int64.ts'
export { internalsOf, type Peer, type ServiceInternals } from './internals.ts'
export { type JsonDocument, parseJson } from './json.ts'
export {
  type CallerRow,
  callerColumns,
  callerOfRow,
  checkChanges,
  countingStatement,
  countOfRow,
  isInForce,
  type KeyCountRow,
  type KeyRow,
  keyColumns,
  keyRowValues,
  recordOfRow,
  selectedKeyColumns,
  storedKey,
} from './key-row.ts'
export { isTime, maxRequests } from './keys.ts'
export { defaultBanPolicy } from './limits/bans.ts'
export { createClientReader } from './limits/client-address.ts'
export { rateLimitHeaders, tooManyRequests } from './limits/headers.ts'
export { chain } from './maybe-promise.ts'
export { defaultMaxNameLength, problemOfName, readNewPet } from './new-pet.ts'
export { checkOptionNames, withoutUndefined } from './option-names.ts'
export { checkServiceOptionNames, describedDefaults } from './options.ts'
export { createPageCache, type PageCache } from './page-cache.ts'
export { type PetRow, petOfRow, rowValues } from './pet-row.ts'
export { type PlanOptions, readPlans } from './plan-options.ts'
export { limitsOf } from './plans.ts'
export { pageLimit } from './query.ts'
export { digest, hexOfDigest } from './sha256.ts'
export { parseTarget, type Target } from './target.ts'
export { isUnavailable, unavailablePart } from './unavailable.ts'
