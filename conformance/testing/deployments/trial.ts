import { catalogue, type Report, type RunOptions, runConformance, type Verdict } from '../../index.ts'
import type { Profile } from '../../steps/profile.ts'
import { createDeployment, type Handler } from './deployment.ts'
import type { BrokenDeployment, DeploymentVariant } from './variant.ts'
import { createClock, mainKey, throttleKey } from './world.ts'

/** Creates the options for a run against a deployment, with a fixed clock and fixed random values. */
export function createRunOptions(
  variant: DeploymentVariant,
  profile: Profile,
): RunOptions & { readonly fetch: Handler } {
  const clock = createClock(variant.start ?? '2026-11-20T12:00:05Z')
  let drawn = 0
  return {
    baseUrl: `http://reference.test${variant.base ?? '/v1'}`,
    apiKey: mainKey,
    throttleKey,
    profile,
    fetch: createDeployment(clock, variant),
    clock,
    random: (size) => Uint8Array.from({ length: size }, () => (drawn++ * 97 + 41) % 256),
    ...(variant.plan !== undefined && { plan: variant.plan }),
    ...(variant.categoryId !== undefined && { categoryId: variant.categoryId }),
  }
}

/** Selects the smallest profile that judges the rule. */
export function selectProfile({ rule, profile }: BrokenDeployment): Profile {
  if (profile !== undefined) return profile
  return catalogue.find(({ id }) => id === rule)?.profile === 'exhaust' ? 'exhaust' : 'create'
}

export function judgeVariant(variant: DeploymentVariant, profile: Profile): Promise<Report> {
  return runConformance(createRunOptions(variant, profile))
}

/** Lists the rules with one of the verdicts. */
export function listIds(report: Report, ...verdicts: readonly Verdict[]): readonly string[] {
  return report.rules.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id)
}

/** Sorts IDs as in the catalogue. */
export function sortIds(ids: readonly string[]): readonly string[] {
  return catalogue.map(({ id }) => id).filter((id) => ids.includes(id))
}
