import type { JudgeOptions } from './options.ts'
import type { Phases } from './phases.ts'
import { needs } from './rule-needs.ts'
import type { Known, Step } from './steps.ts'

/** Whether a step, by what it needs to know, depends on other ones. */
const sources: Readonly<Partial<Record<keyof Known, (step: Step) => boolean>>> = {
  petId: isOpening,
  status: isOpening,
  statusIsShared: isOpening,
  categoryId: isOpening,
  otherCategoryId: isOpening,
  largeIsRejected: ({ id }) => id === 'create-int64',
  onceIsAccepted: ({ id }) => id === 'create-once',
  createdId: showsCreated,
  createdIsServed: (step) => showsCreated(step) || step.id === 'get-created',
  doubtfulStatuses: showsCreated,
}

function isOpening({ id }: Step): boolean {
  return id === 'list' || id === 'list-100'
}

function isValidCreation({ creates, credential, spare }: Step): boolean {
  return creates === 'valid' && credential === 'key' && !spare
}

/** Whether a step creates an animal, or lists the animals of a status. */
function showsCreated(step: Step): boolean {
  return isValidCreation(step) || /^list-.*100/.test(step.id)
}

/**
 * Returns the phases with those steps alone that the rules of `only` need, and the steps that these depend on. Without
 * `only`, and with a rule of which it is not known, these are all steps.
 */
export function neededPhases(phases: Phases, { only, skip = [] }: JudgeOptions): Phases {
  const listed = only?.filter((id) => !skip.includes(id)).map((id) => needs[id])
  if (listed === undefined || listed.includes(undefined)) return phases
  const ids = new Set(listed.flatMap((ids) => ids ?? []))
  const all = [...phases.first, ...phases.last]
  // a step may depend on one that depends on others
  for (let size = -1; size < ids.size; ) {
    size = ids.size
    for (const step of all.filter(({ id }) => ids.has(id))) {
      for (const one of all) if (isNeededFor(step, one, phases)) ids.add(one.id)
    }
  }
  const isNeeded = ({ id }: Step): boolean => ids.has(id)
  return {
    first: phases.first.filter(isNeeded),
    burn: phases.burn && ids.has('burn'),
    last: phases.last.filter(isNeeded),
  }
}

/**
 * Whether a step depends on another one. The first pages show whether the key is accepted; later ones, and what is requested
 * by their animals, depend on what the run creates, as a store may be empty.
 */
function isNeededFor(step: Step, other: Step, { first }: Phases): boolean {
  if (step.credential === 'key' && isOpening(other)) return true
  const isLaterGet = first.includes(step) && step.method === 'GET' && !isOpening(step)
  if (isLaterGet && (isValidCreation(other) || other.id === 'list-100-after')) return true
  return readBy(step).some((name) => sources[name]?.(other))
}

/** Returns what a step reads of the values that a run learns. */
function readBy({ target, body, when }: Step): readonly (keyof Known)[] {
  const read = new Set<keyof Known>()
  const values: Known = {
    marker: '',
    unknownId: '',
    requestedId: '',
    petId: undefined,
    categoryId: '',
    status: '',
    otherCategoryId: '',
    statusIsShared: false,
    largeIsRejected: false,
    onceIsAccepted: false,
    createdId: undefined,
    createdIsServed: false,
    doubtfulStatuses: [],
    throttleKeyHasLetters: false,
  }
  const watched = new Proxy(values, {
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
