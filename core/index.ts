export type { MaybePromise } from './base/maybe-promise.ts'
export { sha256 } from './base/sha256.ts'
export type { CorsOptions } from './http/cors.ts'
export {
  ApiError,
  BodyError,
  type ErrorCode,
  type ErrorRow,
  errors,
  LimiterUnavailableError,
  StoreUnavailableError,
} from './http/errors.ts'
export type { ServiceRequest, ServiceResponse } from './http/http.ts'
export type { Caller, KeyStore } from './keys/auth.ts'
export {
  createKeyStore,
  type KeyRecord,
} from './keys/keys.ts'
export type { BanPolicy } from './limits/bans.ts'
export type { Decision, Limit, RateLimiter } from './limits/bucket.ts'
export type { TrustProxy } from './limits/client-address.ts'
export {
  createMemoryLimiter,
  type MemoryLimiter,
  type MemoryLimiterOptions,
} from './limits/memory-limiter.ts'
export {
  type FixedPlan,
  isPlan,
  type Plan,
  type PlanLimits,
  type PlanOptions,
  plans,
} from './limits/plans.ts'
export { type OperationId, operations } from './operations/index.ts'
export type {
  Deprecated,
  Operation,
  OperationHeader,
  OperationParameter,
  OperationSuccess,
} from './operations/operation.ts'
export type { IdempotencyOptions } from './pets/idempotency.ts'
export { createMemoryStore, type MemoryStore } from './pets/memory-store.ts'
export { parseNewPet } from './pets/new-pet.ts'
export { isPetStatus, type NewPet, type Pet, type PetStatus, petStatuses, petToJson } from './pets/pet.ts'
export type {
  CreateOnceResult,
  CreationKey,
  PetChanges,
  PetPage,
  PetQuery,
  PetStore,
  StoreMethod,
} from './pets/store.ts'
export type { ErrorContext, ResponseEvent } from './pipeline/events.ts'
export type { ServiceOptions } from './pipeline/options.ts'
export { type Access, createPetService, type PetService } from './pipeline/service.ts'
export { toJson } from './to-json.ts'
