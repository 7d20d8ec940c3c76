export {
  type Account,
  accountEmptyAt,
  createAccount,
  decide,
} from './account.ts'
export { type BanPolicy, type BanRecord, defaultBanPolicy } from './bans.ts'
export {
  LimiterUnavailable,
  StoreUnavailable,
  Unavailable,
} from './failures.ts'
export {
  createMemoryLimiter,
  type MemoryLimiter,
  type MemoryLimiterOptions,
} from './memory-limiter.ts'
export { createMemoryStore, type MemoryStore } from './memory-store.ts'
export {
  isPetStatus,
  type NewPet,
  type Pet,
  type PetStatus,
  petStatuses,
  petToJson,
} from './pet.ts'
export {
  type Bucket,
  checkLimits,
  type Decision,
  type Limit,
  type RateLimiter,
} from './rate-limit.ts'
export type { PetQuery, PetStore } from './store.ts'
