import { legalAnswers } from './legal/answers.ts'
import { legalCreations } from './legal/creations.ts'
import { legalLimits } from './legal/limits.ts'
import { legalLists } from './legal/lists.ts'
import { legalOthers } from './legal/others.ts'
import { legalStores } from './legal/stored.ts'
import { legalTimes } from './legal/time.ts'
import type { Legal } from './variant.ts'

/** Deployments that differ from the reference in ways that the spec allows: none of them may be accused. */
export const legal: readonly Legal[] = [
  ...legalLimits,
  ...legalLists,
  ...legalCreations,
  ...legalStores,
  ...legalAnswers,
  ...legalOthers,
  ...legalTimes,
]
