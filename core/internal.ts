// The parts of core that only the adapters and the OpenAPI description use. No entry of the package leads here.

export { int64OfDecimal, int64OfJsonNumber } from './base/int64.ts'
export { type JsonDocument, parseJson } from './base/json.ts'
export { chain } from './base/maybe-promise.ts'
export { checkOptionNames, withoutUndefined } from './base/option-names.ts'
export { digest, hexOfDigest } from './base/sha256.ts'
export { deprecationFields } from './http/deprecation.ts'
export { isApiError } from './http/errors.ts'
export { httpError } from './http/http-error.ts'
export { parseTarget, type Target } from './http/target.ts'
export { isUnavailable, unavailablePart } from './http/unavailable.ts'
export { type DigestKeyStore, findByDigest } from './keys/auth.ts'
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
} from './keys/key-row.ts'
export { isTime, maxRequests } from './keys/keys.ts'
export { type PlanOptions, readPlans } from './keys/plan-options.ts'
export { defaultBanPolicy } from './limits/bans.ts'
export { createClientReader } from './limits/client-address.ts'
export { rateLimitHeaders, tooManyRequests } from './limits/headers.ts'
export { limitsOf } from './limits/plans.ts'
export { type CreationRow, creationValues, expiredAtOnce, resultOfRow } from './pets/creation-row.ts'
export { requireImportableId } from './pets/imported-id.ts'
export { defaultMaxNameLength, problemOfName, readNewPet } from './pets/new-pet.ts'
export { createPageCache, type PageCache } from './pets/page-cache.ts'
export { type PetRow, petOfRow, rowValues } from './pets/pet-row.ts'
export { pageLimit } from './pets/query.ts'
export { internalsOf, type Peer, type ServiceInternals } from './pipeline/internals.ts'
export { checkServiceOptionNames, describedDefaults } from './pipeline/options.ts'
