import { brokenAuth } from './auth.ts'
import { brokenCreates, legalCreations } from './creations.ts'
import { brokenErrors } from './errors.ts'
import { brokenGets } from './gets.ts'
import { brokenInvalidBodies } from './invalid-bodies.ts'
import { brokenRates, legalLimits } from './limits.ts'
import { brokenLists, legalLists } from './lists.ts'
import { legalOverTime } from './over-time.ts'
import { legalResponses } from './responses.ts'
import { allowedBy, type Broken, brokenBy, type Legal } from './variant.ts'

/** Deployments that break a rule: at least one for each rule. */
export const broken: readonly Broken[] = [
  ...brokenBy({
    'VER-1 has the base path /v2': { base: '/v2' },
    'VER-1 has the base path /v1.0': { base: '/v1.0' },
  }),
  ...brokenAuth,
  ...brokenErrors,
  ...brokenLists,
  ...brokenGets,
  ...brokenCreates,
  ...brokenInvalidBodies,
  ...brokenRates,
]

/** Deployments that differ from the reference in ways that the spec allows. None of them may fail a rule. */
export const legal: readonly Legal[] = [
  ...legalLimits,
  ...legalLists,
  ...legalCreations,
  ...legalResponses,
  ...legalOverTime,
  ...allowedBy({ 'the base URL: has the base path /v1/shelter': { base: '/v1/shelter' } }),
]
