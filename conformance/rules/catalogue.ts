import { authRules } from './auth.ts'
import { createRules } from './create/create.ts'
import { afterwardsRules } from './create/create-afterwards.ts'
import { invalidBodyRules } from './create/create-invalid.ts'
import { returnedRules } from './create/create-returned.ts'
import { errRules } from './err.ts'
import { getRules } from './get.ts'
import { listRules } from './list.ts'
import { filterRules } from './list-filter.ts'
import { limitRules } from './list-limit.ts'
import { rateRules } from './rate.ts'
import { burnRules } from './rate-burn.ts'
import { useRules } from './rate-use.ts'
import { waitRules } from './rate-wait.ts'
import type { Rule } from './rule.ts'
import { verRules } from './ver.ts'

const families: readonly (readonly Rule[])[] = [
  verRules,
  authRules,
  errRules,
  [...listRules, ...limitRules, ...filterRules],
  getRules,
  [...createRules, ...returnedRules, ...afterwardsRules, ...invalidBodyRules],
  [...rateRules, ...useRules, ...burnRules, ...waitRules],
]

const numberOf = ({ id }: Rule): number => Number(id.split('-')[1])

/** Every rule of the suite, by family and number. */
export const catalogue: readonly Rule[] = families.flatMap((family) =>
  family.toSorted((a, b) => numberOf(a) - numberOf(b)),
)
