import { legalCreations } from './legal/creations.ts'
import { legalLimits } from './legal/limits.ts'
import { legalLists } from './legal/lists.ts'
import { legalOverTime } from './legal/over-time.ts'
import { legalResponses } from './legal/responses.ts'
import { allowedBy, type Legal } from './variant.ts'

/** Deployments that differ from the reference in ways that the spec allows. None of them may fail a rule. */
export const legal: readonly Legal[] = [
  ...legalLimits,
  ...legalLists,
  ...legalCreations,
  ...legalResponses,
  ...legalOverTime,
  ...allowedBy({
    'the base URL': {
      'has the base path /api/v1': { base: '/api/v1' },
      'has the base path /v1/shelter': { base: '/v1/shelter' },
    },
  }),
]
