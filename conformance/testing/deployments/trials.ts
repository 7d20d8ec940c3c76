import { brokenAuthDeployments } from './auth.ts'
import { brokenCreateDeployments, legalCreateDeployments } from './creations.ts'
import { brokenErrorDeployments } from './errors.ts'
import { brokenGetDeployments } from './gets.ts'
import { brokenBodyDeployments } from './invalid-bodies.ts'
import { brokenRateDeployments, legalRateDeployments } from './limits.ts'
import { brokenListDeployments, legalListDeployments } from './lists.ts'
import { legalDeploymentsOverTime } from './over-time.ts'
import { brokenRaceDeployments, legalRaceDeployments } from './races.ts'
import { legalResponseDeployments } from './responses.ts'
import { type BrokenDeployment, createBroken, createLegal, type LegalDeployment } from './variant.ts'

/** Every deployment that breaks a rule. */
export const brokenDeployments: readonly BrokenDeployment[] = [
  ...createBroken({
    'VER-1: serves the API under /v2': { base: '/v2' },
    'VER-1: serves the API under /v1.0': { base: '/v1.0' },
  }),
  ...brokenAuthDeployments,
  ...brokenErrorDeployments,
  ...brokenListDeployments,
  ...brokenGetDeployments,
  ...brokenCreateDeployments,
  ...brokenBodyDeployments,
  ...brokenRateDeployments,
  ...brokenRaceDeployments,
]

/** Every unusual deployment that conforms. */
export const legalDeployments: readonly LegalDeployment[] = [
  ...legalRateDeployments,
  ...legalListDeployments,
  ...legalCreateDeployments,
  ...legalResponseDeployments,
  ...legalDeploymentsOverTime,
  ...legalRaceDeployments,
  ...createLegal({ 'base URL: serves the API under /v1/shelter': { base: '/v1/shelter' } }),
]
