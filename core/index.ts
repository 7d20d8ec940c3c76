export { type Account, accountEmptyAt, createAccount, decide } from './account.ts'
export type { Caller, KeyStore } from './auth.ts'
export { type BanPolicy, type BanRecord, defaultBanPolicy, readBanPolicy } from './bans.ts'
export { createClientReader, type TrustProxy } from './client.ts'
export { type ErrorCode, errors, Fault } from './errors.ts'
export type { AnswerEvent } from './events.ts'
export { LimiterUnavailable, StoreUnavailable, Unavailable } from './failures.ts'
export { BodyFailure, type ServiceRequest, type ServiceResponse } from './http.ts'
export { httpFault } from './http-fault.ts'
export { createKeyStore, type KeyRecord } from './keys.ts'
export type { MaybePromise } from './maybe-promise.ts'
export { createMemoryLimiter, type MemoryLimiter, type MemoryLimiterOptions } from './memory-limiter.ts'
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
} from './openapi-document.ts'
export { type Deprecated, type Operation, type OperationId, operations } from './operations.ts'
export type { DescribedOptions, ServiceOptions } from './options.ts'
export { createPageKeeper, type PageKeeper } from './page-keeper.ts'
export { isPetStatus, type NewPet, type Pet, type PetStatus, petStatuses, petToJson } from './pet.ts'
export { type PetRow, petOfRow, rowValues } from './pet-row.ts'
export { isPlan, limitsOf, type Plan, type PlanLimits, plans } from './plans.ts'
export { type Bucket, checkLimits, type Decision, type Limit, type RateLimiter } from './rate-limit.ts'
export { rateLimitHeaders, tooManyRequests } from './rate-limit-answer.ts'
export { createPetService, type Peer, type PetService } from './service.ts'
export { sha256 } from './sha256.ts'
export type { PetQuery, PetStore } from './store.ts'
export { parseTarget, type Target } from './target.ts'
