import { catalogue, type Report, type RunOptions, runConformance, type Verdict } from '../../index.ts'
import type { Profile } from '../../steps/profile.ts'
import { createDeployment, type Handler } from './deployment.ts'
import type { Broken, Variant } from './variant.ts'
import { createClock, mainKey, throttleKey } from './world.ts'

/** The options of a run against a variant: a handler in the same process, and a clock that both share. */
export function trialOptions(variant: Variant, profile: Profile): RunOptions & { readonly fetch: Handler } {
  const clock = createClock(variant.start ?? '2026-11-20T12:00:05Z')
  let drawn = 0
  return {
    baseUrl: `http://reference.test${variant.base ?? '/v1'}`,
    key: mainKey,
    throttleKey,
    profile,
    fetch: createDeployment(clock, variant),
    clock,
    random: (size) => Uint8Array.from({ length: size }, () => (drawn++ * 97 + 41) % 256),
    ...(variant.plan !== undefined && { plan: variant.plan }),
    ...(variant.categoryId !== undefined && { categoryId: variant.categoryId }),
  }
}

/** The profile that shows what a variant breaks. */
export function selectProfile({ rule, profile }: Broken): Profile {
  if (profile !== undefined) return profile
  return catalogue.find(({ id }) => id === rule)?.profile === 'exhaust' ? 'exhaust' : 'create'
}

/** Runs the suite against a variant and returns the report. */
export function judgeVariant(variant: Variant, profile: Profile): Promise<Report> {
  return runConformance(trialOptions(variant, profile))
}

/** The ids of the rules that have one of the verdicts. */
export function listIds(report: Report, ...verdicts: readonly Verdict[]): readonly string[] {
  return report.rules.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id)
}

/** The ids in the order of the catalogue, each once. */
export function inOrder(ids: readonly string[]): readonly string[] {
  return catalogue.map(({ id }) => id).filter((id) => ids.includes(id))
}
