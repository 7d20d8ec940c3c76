import { burns, creates, type Profile } from './profile.ts'
import type { Known, Step } from './step.ts'
import {
  createdSteps,
  creatingSteps,
  invalidSteps,
  keylessCreatingSteps,
  newFilteredPage,
  nulNameStep,
  observingSteps,
  pageAfterCreations,
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

/** The requests of a profile, in order: the burn of the throttle key comes between the others. */
export interface Phases {
  readonly first: readonly Step[]
  readonly burn: boolean
  /** Without a valid key. */
  readonly last: readonly Step[]
}

/**
 * Returns the phases of a profile. Requests without a credential come last, as their limit may be small.
 *
 * @param isEmpty Whether the opening pages list no animal. Valid bodies then come right behind them, so that there are
 * animals to list; otherwise behind what `read` sends.
 */
export function createPhases(profile: Profile, isEmpty = false): Phases {
  const burn = burns(profile)
  const steps = creates(profile) ? listCreateSteps(isEmpty) : stepsOfRead
  return { first: steps, burn, last: [...(burn ? throttleKeySteps : []), ...keylessSteps] }
}

const stepsOfRead: readonly Step[] = [
  ...openingSteps,
  ...pagingSteps,
  smallPages.two,
  smallPages.fifty,
  ...statusPages,
  filteredPage,
  ...readingSteps,
  ...closingSteps,
  ...lateSteps,
  ...schemeSteps,
]

function listCreateSteps(isEmpty: boolean): readonly Step[] {
  const steps = [
    ...openingSteps,
    ...(isEmpty ? [...creatingSteps, pageAfterCreations] : []),
    ...pagingSteps,
    filteredPage,
    ...readingSteps,
    ...(isEmpty ? [] : [...creatingSteps, pageAfterCreations]),
    ...invalidSteps,
    newFilteredPage,
    // before the last pages, which show what a rejected creation leaves behind
    ...keylessCreatingSteps,
    ...observingSteps,
    ...statusPages,
    ...closingSteps,
    ...createdSteps,
    ...lateSteps,
    nulNameStep,
    ...schemeSteps,
  ]
  return steps.map(({ inCreate, ...step }) => (inCreate === undefined ? step : { ...step, when: inCreate }))
}

/** Returns how many of these steps a run sends, as far as is known, if its bound leaves no room for a priority. */
export function countDue(steps: readonly Step[], known: Known, priority?: Step['priority']): number {
  const isDue = (step: Step): boolean =>
    step.priority === undefined || (priority === 'lowest' && step.priority === 'low')
  return steps.filter((step) => isDue(step) && step.when?.holds(known) !== false).length
}

const byId: ReadonlyMap<string, Step> = new Map(
  [createPhases('all'), createPhases('all', true), createPhases('read')].flatMap(({ first, last }) =>
    [...first, ...last].map((step) => [step.id, step] as const),
  ),
)

/** Returns the step of an exchange; `undefined` for a request of the burn, and for one that the suite does not send. */
export function findStep(id: string): Step | undefined {
  return byId.get(id)
}
