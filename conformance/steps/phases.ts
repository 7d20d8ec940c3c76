import { burns, creates, type Profile } from './profile.ts'
import type { Known, Step } from './step.ts'
import { createdSteps, creatingSteps, keylessCreatingSteps, observingSteps, oddStep } from './steps-create.ts'
import {
  closingSteps,
  keylessSteps,
  lastSteps,
  lateSteps,
  openingSteps,
  pagingSteps,
  readingSteps,
  throttleKeySteps,
} from './steps-read.ts'

/** The requests of a profile, in order: the burn of the throttle key comes between the others. */
export interface Phases {
  readonly first: readonly Step[]
  readonly burn: boolean
  /** Without a valid key. */
  readonly last: readonly Step[]
}

/** Returns the phases of a profile. Requests without a credential come last, as their limit may be small. */
export function phasesOf(profile: Profile): Phases {
  const posts = creates(profile)
  const burn = burns(profile)
  const sentBy = (steps: readonly Step[]): readonly Step[] =>
    posts
      ? steps.flatMap(({ inCreate, ...step }) => {
          if (inCreate === 'never') return []
          return inCreate === undefined ? step : { ...step, when: inCreate }
        })
      : steps
  return {
    first: sentBy([
      ...openingSteps,
      // early, so that an empty store has animals to list
      ...(posts ? creatingSteps : []),
      ...pagingSteps,
      ...(posts ? createdSteps : []),
      ...readingSteps,
      // before the last pages, which show what a rejected creation leaves behind
      ...(posts ? keylessCreatingSteps : []),
      ...closingSteps,
      ...lateSteps,
      ...(posts ? [oddStep] : []),
      ...lastSteps,
      ...(posts ? observingSteps : []),
    ]),
    burn,
    last: sentBy([...(burn ? throttleKeySteps : []), ...keylessSteps]),
  }
}

/** Returns how many of these steps a run sends even if its bound leaves no room, as far as is known. */
export function dueOf(steps: readonly Step[], known: Known): number {
  return steps.filter(({ spare, when }) => !spare && when?.holds(known) !== false).length
}

const byId: ReadonlyMap<string, Step> = new Map(
  (['all', 'read'] as const).flatMap((profile) => {
    const { first, last } = phasesOf(profile)
    return [...first, ...last].map((step) => [step.id, step] as const)
  }),
)

/** Returns the step of an exchange; `undefined` for a request of the burn, and for one that the suite does not send. */
export function stepOf(id: string): Step | undefined {
  return byId.get(id)
}
