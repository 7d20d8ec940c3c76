import { authRules } from './auth.ts'
import { createRules } from './create.ts'
import { afterwardsRules } from './create-afterwards.ts'
import { invalidBodyRules } from './create-invalid.ts'
import { errRules } from './err.ts'
import { getRules } from './get.ts'
import { listRules } from './list.ts'
import { filterRules } from './list-filter.ts'
import { rateRules } from './rate.ts'
import { burnRules } from './rate-burn.ts'
import type { Rule } from './rule.ts'
import { verRules } from './ver.ts'

const families: readonly (readonly Rule[])[] = [
  verRules,
  authRules,
  errRules,
  [...listRules, ...filterRules],
  getRules,
  [...createRules, ...afterwardsRules, ...invalidBodyRules],
  [...rateRules, ...burnRules],
]

const numberOf = ({ id }: Rule): number => Number(id.split('-')[1])

/** Every rule of the suite, family by family, in the order of their numbers. */
export const catalogue: readonly Rule[] = families.flatMap((family) =>
  family.toSorted((a, b) => numberOf(a) - numberOf(b)),
)
