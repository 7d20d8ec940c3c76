import { legalCreations } from './legal/creations.ts'
import { legalLater } from './legal/later.ts'
import { legalLimits } from './legal/limits.ts'
import { legalLists } from './legal/lists.ts'
import { legalOtherClients } from './legal/other-clients.ts'
import { legalRemovals } from './legal/removal.ts'
import { legalResponses } from './legal/responses.ts'
import { allowedBy, type Legal } from './variant.ts'

/** Deployments that differ from the reference in ways that the spec allows. None of them may fail a rule. */
export const legal: readonly Legal[] = [
  ...legalLimits,
  ...legalLists,
  ...legalCreations,
  ...legalLater,
  ...legalResponses,
  ...legalOtherClients,
  ...legalRemovals,
  ...allowedBy({
    'the base address': {
      'has the base path /api/v1': { base: '/api/v1' },
      'has the base path /v1/shelter': { base: '/v1/shelter' },
    },
  }),
]
