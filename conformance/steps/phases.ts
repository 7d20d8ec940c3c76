import { createsAnimals, exhaustsLimit, type Profile } from './profile.ts'
import type { LearnedFacts, Step } from './step.ts'
import {
  createdSteps,
  creatingSteps,
  invalidSteps,
  keylessCreatingSteps,
  newFilteredPage,
  observingSteps,
  pageAfterCreations,
  parallelSteps,
  unknownKeyStep,
} from './steps-create.ts'
import {
  closingSteps,
  filteredPage,
  keylessSteps,
  lateSteps,
  openingSteps,
  pagingSteps,
  readingSteps,
  schemeSteps,
  smallPages,
  statusPages,
  throttleKeySteps,
} from './steps-read.ts'

/** A run's steps. With `hasBurn`, the run uses up the throttle key's limit between the two lists. */
export interface Phases {
  readonly beforeBurn: readonly Step[]
  readonly hasBurn: boolean
  readonly afterBurn: readonly Step[]
}

/** Creates a run's steps. If the server lists no animals, `create` adds some before the pages are requested. */
export function createPhases(profile: Profile, isEmpty = false): Phases {
  const hasBurn = exhaustsLimit(profile)
  const steps = createsAnimals(profile) ? listCreateSteps(isEmpty) : readProfileSteps
  return { beforeBurn: steps, hasBurn, afterBurn: [...(hasBurn ? throttleKeySteps : []), ...keylessSteps] }
}

const readProfileSteps: readonly Step[] = [
  ...openingSteps,
  ...pagingSteps,
  ...smallPages,
  ...statusPages,
  filteredPage,
  ...readingSteps,
  ...closingSteps,
  ...lateSteps,
  ...schemeSteps,
]

function listCreateSteps(isEmpty: boolean): readonly Step[] {
  const stepsWithCreations = [...creatingSteps, ...parallelSteps, pageAfterCreations]
  const steps = [
    ...openingSteps,
    ...(isEmpty ? stepsWithCreations : []),
    ...pagingSteps,
    filteredPage,
    ...readingSteps,
    ...(isEmpty ? [] : stepsWithCreations),
    ...invalidSteps,
    newFilteredPage,
    // Sent early, as the limit for clients without a key may be low.
    unknownKeyStep,
    ...smallPages,
    ...statusPages,
    ...closingSteps,
    ...createdSteps,
    ...lateSteps,
    ...keylessCreatingSteps,
    ...observingSteps,
    ...schemeSteps,
  ]
  return steps.map(({ whenCreating, ...step }) =>
    whenCreating === undefined ? step : { ...step, when: whenCreating },
  )
}

/** Counts the steps that will be sent, without steps that have the given priority or a lower one. */
export function countDueSteps(
  steps: readonly Step[],
  known: LearnedFacts,
  priority?: Step['priority'],
): number {
  const isDue = (step: Step): boolean =>
    step.priority === undefined || (priority === 'lowest' && step.priority === 'low')
  return steps.filter((step) => isDue(step) && step.when?.holds(known) !== false).length
}

const stepsById: ReadonlyMap<string, Step> = new Map(
  [createPhases('all'), createPhases('all', true), createPhases('read')].flatMap(
    ({ beforeBurn, afterBurn }) => [...beforeBurn, ...afterBurn].map((step) => [step.id, step] as const),
  ),
)

/** Finds a step by its ID, in any profile. */
export function findStep(id: string): Step | undefined {
  return stepsById.get(id)
}
