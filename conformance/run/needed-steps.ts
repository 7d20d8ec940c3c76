import { type Phases, phasesOf } from '../steps/phases.ts'
import { isSafe, type Known, type Step, unknown } from '../steps/step.ts'
import { burnRules, pageAfterCreations } from '../steps/steps-read.ts'
import type { JudgeOptions } from './options.ts'

/**
 * Returns the phases with those steps alone that the rules of `only` need, and the steps that these depend on. Without
 * `only`, and with a rule of which it is not known, these are all steps.
 */
export function neededPhases(phases: Phases, { only, skip = [] }: JudgeOptions): Phases {
  const rules = only?.filter((id) => !skip.includes(id))
  if (rules === undefined || !rules.every((rule) => judgedRules.has(rule))) return phases
  const all = [...phases.first, ...phases.last]
  const needed = new Set(all.filter(({ judgedBy = [] }) => judgedBy.some((rule) => rules.includes(rule))))
  // a set that grows is iterated to its end, as a step may depend on one that depends on others
  for (const step of needed) {
    for (const other of all) if (isNeededFor(step, other, phases)) needed.add(other)
  }
  return {
    first: phases.first.filter((step) => needed.has(step)),
    burn: phases.burn && rules.some((rule) => burnRules.includes(rule)),
    last: phases.last.filter((step) => needed.has(step)),
  }
}

/** The rules that steps name. */
export const judgedRules: ReadonlySet<string> = new Set([
  ...burnRules,
  ...(['read', 'all'] as const).flatMap((profile) => {
    const { first, last } = phasesOf(profile)
    return [...first, ...last].flatMap(({ judgedBy = [] }) => judgedBy)
  }),
])

/**
 * Whether a step depends on another one. The first pages show whether the key is accepted; later ones, and what is requested
 * by their animals, depend on what the run creates, as a store may be empty.
 */
function isNeededFor(step: Step, { id, creates, teaches = [] }: Step, { first }: Phases): boolean {
  const isFirst = step.teaches?.includes('petId') ?? false
  if (step.credential === 'key' && !isFirst && teaches.includes('petId')) return true
  const isLaterGet = first.includes(step) && isSafe(step.method) && !isFirst
  const fills = (creates === 'valid' && teaches.includes('createdId')) || id === pageAfterCreations.id
  if (isLaterGet && fills) return true
  return readBy(step).some((name) => teaches.includes(name))
}

/** Returns what a step reads of the values that a run learns. */
function readBy({ target, body, when }: Step): readonly (keyof Known)[] {
  const read = new Set<keyof Known>()
  const watched = new Proxy(unknown, {
    get(known, name: keyof Known) {
      read.add(name)
      return known[name]
    },
  })
  target(watched)
  body?.(watched)
  when?.holds(watched)
  return [...read]
}
