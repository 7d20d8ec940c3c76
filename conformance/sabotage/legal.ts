import { legalCreations } from './legal/creations.ts'
import { legalLater } from './legal/later.ts'
import { legalLimits } from './legal/limits.ts'
import { legalLists } from './legal/lists.ts'
import { legalOtherClients } from './legal/other-clients.ts'
import { legalRemovals } from './legal/removal.ts'
import { legalResponses } from './legal/responses.ts'
import { legalStores } from './legal/stored.ts'
import { legalVersions } from './legal/versions.ts'
import type { Legal } from './variant.ts'

/** Deployments that differ from the reference in ways that the spec allows. None of them may fail a rule. */
export const legal: readonly Legal[] = [
  ...legalLimits,
  ...legalLists,
  ...legalCreations,
  ...legalLater,
  ...legalStores,
  ...legalResponses,
  ...legalOtherClients,
  ...legalRemovals,
  ...legalVersions,
]
