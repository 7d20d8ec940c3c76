import { petStoreContract, rateLimiterContract } from '../../../adapters/contracts/index.ts'
import { createMemoryLimiter, createMemoryStore } from '../../../core/index.ts'

/** The contracts of the parts that need no service and no file. */
export const memorySuites = {
  'store in memory': ({ it }) =>
    petStoreContract({
      test: it,
      create: createMemoryStore,
    }),
  'limiter in memory': ({ it }) => rateLimiterContract({ test: it, create: createMemoryLimiter }),
}
