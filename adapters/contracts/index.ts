export { type KeyStoreContractOptions, keyStoreContract } from './key-store.ts'
export { type PetStoreContractOptions, petStoreContract } from './pet-store.ts'
export { type LimiterSetup, type RateLimiterContractOptions, rateLimiterContract } from './rate-limiter.ts'
export type { ContractOptions, TestFunction } from './runner.ts'
