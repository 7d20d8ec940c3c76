export { type PetStoreContractOptions, petStoreContract } from './pet-store.ts'
export { type LimiterSetup, type RateLimiterContractOptions, rateLimiterContract } from './rate-limiter.ts'
export type { TestFunction } from './runner.ts'
