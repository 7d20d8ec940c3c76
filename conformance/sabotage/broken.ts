import { brokenAuth } from './broken/auth.ts'
import { brokenCreates } from './broken/create.ts'
import { brokenErrors } from './broken/errors.ts'
import { brokenGets } from './broken/get.ts'
import { brokenInvalidBodies } from './broken/invalid-bodies.ts'
import { brokenLists } from './broken/list.ts'
import { brokenRates } from './broken/rate.ts'
import { type Broken, brokenBy } from './variant.ts'

/** Deployments that break a rule: at least one for each rule. */
export const broken: readonly Broken[] = [
  ...brokenBy({
    'VER-1': {
      'has the base path /v2': { base: '/v2' },
      'has the base path /api': { base: '/api' },
      'has the base path /v1.0': { base: '/v1.0' },
    },
  }),
  ...brokenAuth,
  ...brokenErrors,
  ...brokenLists,
  ...brokenGets,
  ...brokenCreates,
  ...brokenInvalidBodies,
  ...brokenRates,
]
