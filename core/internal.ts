// The parts of core that only the adapters and the OpenAPI description use. No entry of the package leads here.
export { type DigestKeyStore, findByDigest } from './auth.ts'
export { deprecationFields } from './deprecation.ts'
export { httpError } from './http-error.ts'
export { internalsOf, type Peer, type ServiceInternals } from './internals.ts'
export { defaultBanPolicy } from './limits/bans.ts'
export { createClientReader } from './limits/client-address.ts'
export { rateLimitHeaders, tooManyRequests } from './limits/headers.ts'
export { checkOptionNames } from './option-names.ts'
export {
  checkServiceOptionNames,
  describedDefaults,
  withoutUndefined,
} from './options.ts'
export { createPageCache, type PageCache } from './page-cache.ts'
export { type PetRow, petOfRow, rowValues } from './pet-row.ts'
export { limitsOf } from './plans.ts'
export { pageLimit } from './query.ts'
export { parseTarget, type Target } from './target.ts'
export { isUnavailable, unavailablePart } from './unavailable.ts'
