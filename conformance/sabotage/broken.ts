import { brokenAuth } from './broken/auth.ts'
import { brokenCreates } from './broken/create.ts'
import { brokenErrors } from './broken/errors.ts'
import { brokenFilters } from './broken/filter.ts'
import { brokenGets } from './broken/get.ts'
import { brokenRefusals } from './broken/invalid.ts'
import { brokenLists } from './broken/list.ts'
import { brokenRates } from './broken/rate.ts'
import { brokenStores } from './broken/stored.ts'
import { brokenVersions } from './broken/version.ts'
import type { Broken } from './variant.ts'

/** For every rule at least one deployment that breaks it. */
export const broken: readonly Broken[] = [
  ...brokenVersions,
  ...brokenAuth,
  ...brokenErrors,
  ...brokenLists,
  ...brokenFilters,
  ...brokenGets,
  ...brokenCreates,
  ...brokenStores,
  ...brokenRefusals,
  ...brokenRates,
]
