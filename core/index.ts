export type { Caller, KeyStore } from './auth.ts'
export { ApiError, type ErrorCode, errors } from './errors.ts'
export type { ErrorContext, ResponseEvent } from './events.ts'
export { BodyFailure, type ServiceRequest, type ServiceResponse } from './http.ts'
export { createKeyStore, type KeyRecord } from './keys.ts'
export type { BanPolicy } from './limits/bans.ts'
export type { Decision, Limit, RateLimiter } from './limits/bucket.ts'
export type { TrustProxy } from './limits/client-address.ts'
export {
  createMemoryLimiter,
  type MemoryLimiter,
  type MemoryLimiterOptions,
} from './limits/memory-limiter.ts'
export type { MaybePromise } from './maybe-promise.ts'
export { createMemoryStore, type MemoryStore } from './memory-store.ts'
export { parseNewPet } from './new-pet.ts'
export { type Deprecated, type Operation, type OperationId, operations } from './operations.ts'
export type { ServiceOptions } from './options.ts'
export { isPetStatus, type NewPet, type Pet, type PetStatus, petStatuses, petToJson } from './pet.ts'
export { type FixedPlan, isPlan, type Plan, type PlanLimits, plans } from './plans.ts'
export { createPetService, type PetService } from './service.ts'
export { sha256 } from './sha256.ts'
export type { PetQuery, PetStore } from './store.ts'
export { LimiterUnavailable, StoreUnavailable } from './unavailable.ts'
