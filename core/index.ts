export type { Caller, KeyStore } from './auth.ts'
export { ApiError, type ErrorCode, errors } from './errors.ts'
export type { ErrorContext, ResponseEvent } from './events.ts'
export { BodyFailure, type ServiceRequest, type ServiceResponse } from './http.ts'
export { httpError } from './http-error.ts'
export { createKeyStore, type KeyRecord } from './keys.ts'
export {
  type Account,
  accountEmptyAt,
  createAccount,
  decide,
  type EarlierRejections,
} from './limits/account.ts'
export { type BanPolicy, type BanRecord, defaultBanPolicy, readBanPolicy } from './limits/bans.ts'
export { type Bucket, checkLimits, type Decision, type Limit, type RateLimiter } from './limits/bucket.ts'
export { createClientReader, type TrustProxy } from './limits/client-address.ts'
export { rateLimitHeaders, tooManyRequests } from './limits/headers.ts'
export {
  createMemoryLimiter,
  type MemoryLimiter,
  type MemoryLimiterOptions,
} from './limits/memory-limiter.ts'
export type { MaybePromise } from './maybe-promise.ts'
export { createMemoryStore, type MemoryStore } from './memory-store.ts'
export { parseNewPet } from './new-pet.ts'
export type {
  OpenApi,
  OpenApiContent,
  OpenApiError,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiReference,
  OpenApiResponse,
  OpenApiSchema,
  OpenApiSchemas,
} from './openapi/document.ts'
export { type Deprecated, type Operation, type OperationId, operations } from './operations.ts'
export type { DescribedOptions, ServiceOptions } from './options.ts'
export { createPageCache, type PageCache } from './page-cache.ts'
export { isPetStatus, type NewPet, type Pet, type PetStatus, petStatuses, petToJson } from './pet.ts'
export { type PetRow, petOfRow, rowValues } from './pet-row.ts'
export { isPlan, limitsOf, type Plan, type PlanLimits, plans } from './plans.ts'
export { createPetService, type Peer, type PetService } from './service.ts'
export { sha256 } from './sha256.ts'
export type { PetQuery, PetStore } from './store.ts'
export { parseTarget, type Target } from './target.ts'
export { LimiterUnavailable, StoreUnavailable, Unavailable } from './unavailable.ts'
