// What the adapters in this package and the OpenAPI description use. No public entry point exports this module.

import type * as accountFields from './limits/fields.ts'
import {
  banCount,
  bannedUntil,
  expiresAt,
  firstLimit,
  lastAllowedAt,
  lastRejectedAt,
  newestStepAt,
  rejectionCounts,
  streakStartedAt,
} from './limits/fields.ts'

export { ExpiringMap } from './base/expiring-map.ts'
export { parseDecimalInt64, parseJsonInt64 } from './base/int64.ts'
export { isIsoTime, toIsoDate, toIsoTime } from './base/iso-time.ts'
export { isObject, type JsonDocument, parseJson } from './base/json.ts'
export { chain, type MaybePromise } from './base/maybe-promise.ts'
export {
  anyValueRule,
  booleanRule,
  checkOptions,
  functionRule,
  isWholeNumber,
  type OptionRule,
  stringRule,
} from './base/options.ts'
export { findUnavailablePart, isApiError, isUnavailableError, MisuseError } from './http/errors.ts'
export { findHttpError } from './http/http-error.ts'
export { parseTarget, type Target } from './http/target.ts'
export { parseTraceId } from './http/traceparent.ts'
export { createKeyIndex, type KeyIndex, keyRules } from './keys/keys.ts'
export { clockToleranceMs, windowSteps } from './limits/account.ts'
export { toNetworkKey } from './limits/address.ts'
export { inFlightGraceMs } from './limits/bans.ts'
export { createClientAddressReader } from './limits/client-address.ts'
export { createRateLimitError, createRateLimitHeaders } from './limits/headers.ts'
export { maxRequests, readPlans, toLimits } from './limits/plans.ts'
export { createDeprecationHeaders } from './operations/deprecation.ts'
export { listSupportedOperations } from './operations/index.ts'
export { defaultMaxNameLength, findNameProblem, readNewPet } from './pets/new-pet.ts'
export { toPage } from './pets/page.ts'
export { PageCache } from './pets/page-cache.ts'
export { requireImportableId } from './pets/pet.ts'
export { wrapStore } from './pets/store.ts'
export { createInternalError } from './pipeline/internal-error.ts'
export { checkServiceOptions, describedDefaults } from './pipeline/options.ts'
export { type Peer, readInternals, type ServiceInternals } from './pipeline/service-internals.ts'

/** Field indexes in an account, for the script in Redis. `export * as fields` would make core's bundle 200 bytes larger. */
export const fields: Readonly<Record<keyof typeof accountFields, number>> = {
  lastAllowedAt,
  expiresAt,
  bannedUntil,
  banCount,
  streakStartedAt,
  lastRejectedAt,
  newestStepAt,
  rejectionCounts,
  firstLimit,
}
