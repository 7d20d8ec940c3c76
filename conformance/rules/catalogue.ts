import type { Rule } from './rule.ts'
import { verRules } from './ver.ts'

/** Every rule of the suite, family by family, in the order of their numbers. */
export const catalogue: readonly Rule[] = [...verRules]
