import { brokenAuth } from './broken/auth.ts'
import { brokenBurns } from './broken/burn.ts'
import { brokenCreates } from './broken/create.ts'
import { brokenErrors } from './broken/errors.ts'
import { brokenFilters } from './broken/filter.ts'
import { brokenGets } from './broken/get.ts'
import { brokenInvalidBodies } from './broken/invalid-bodies.ts'
import { brokenKeyFirst } from './broken/key-first.ts'
import { brokenLists } from './broken/list.ts'
import { brokenRates } from './broken/rate.ts'
import { brokenStores } from './broken/stored.ts'
import { brokenVersions } from './broken/version.ts'
import type { Broken } from './variant.ts'

/** Deployments that break a rule: at least one for each rule. */
export const broken: readonly Broken[] = [
  ...brokenVersions,
  ...brokenAuth,
  ...brokenKeyFirst,
  ...brokenErrors,
  ...brokenLists,
  ...brokenFilters,
  ...brokenGets,
  ...brokenCreates,
  ...brokenStores,
  ...brokenInvalidBodies,
  ...brokenRates,
  ...brokenBurns,
]
