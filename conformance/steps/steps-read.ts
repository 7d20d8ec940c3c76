import { createGetStep, createListStep, type LearnedFacts, type Step } from './step.ts'

const hasListed = ({ petId }: LearnedFacts): boolean => petId !== undefined
const readListedId = (known: LearnedFacts): string => known.petId ?? '1'
const whenListed = { text: 'if an animal is listed', holds: hasListed }

/** The first two pages. The IDs and statuses for later steps come from them. */
export const openingSteps: readonly Step[] = [
  createListStep('list'),
  createListStep('list-100', '?limit=100'),
]

export const pagingSteps: readonly Step[] = [
  createListStep('list-1', '?limit=1'),
  createListStep('list-available', '?status=available'),
  createListStep('list-pending', '?status=pending'),
  createListStep('list-sold', '?status=sold'),
]

export const smallPages: readonly Step[] = [
  createListStep('list-2', '?limit=2'),
  createListStep('list-50', '?limit=50'),
]

/** The long pages for each status. */
export const statusPages: readonly Step[] = [
  createListStep('list-available-100', '?status=available&limit=100'),
  createListStep('list-pending-100', '?status=pending&limit=100'),
  createListStep('list-sold-100', '?status=sold&limit=100'),
]

/**
 * Page with a filter and a limit, which other clients may change. In profiles that create animals, it is sent early
 * only if it is conclusive.
 */
export const filteredPage: Step = {
  ...createListStep('list-status-1', ''),
  target: ({ status = '<status>' }) => `/pets?status=${status}&limit=1`,
  when: { text: 'if a listed animal has a status', holds: ({ status }) => status !== undefined },
  whenCreating: {
    text: 'if two listed animals have the same status and the first animal has another',
    holds: ({ statusDecides }) => statusDecides,
  },
}

/** Requests for single animals, and queries that the server may reject. */
export const readingSteps: readonly Step[] = [
  { ...createGetStep('get-listed', readListedId), when: whenListed },
  {
    ...createGetStep('get-first', ({ firstPetId = '1' }) => firstPetId),
    when: {
      text: 'if another animal is listed first',
      holds: ({ petId, firstPetId }) => firstPetId !== undefined && firstPetId !== petId,
    },
  },
  {
    ...createGetStep('get-last', ({ lastPetId = '1' }) => lastPetId),
    when: {
      text: 'if another animal is listed last',
      holds: ({ petId, firstPetId, lastPetId }) =>
        lastPetId !== undefined && lastPetId !== petId && lastPetId !== firstPetId,
    },
  },
  { ...createListStep('limit-0', '?limit=0'), mayBeRejected: true },
  { ...createListStep('limit-negative', '?limit=-1'), mayBeRejected: true },
  { ...createListStep('limit-101', '?limit=101'), mayBeRejected: true },
  { ...createListStep('limit-200', '?limit=200'), mayBeRejected: true },
  { ...createListStep('limit-word', '?limit=abc'), mayBeRejected: true },
  { ...createListStep('status-undeclared', '?status=lost'), mayBeRejected: true },
  { ...createListStep('status-beginning', '?status=sol'), mayBeRejected: true },
  createGetStep('get-unknown', ({ unknownId }) => unknownId),
  {
    ...createGetStep('get-wrapped', ({ wrappedId = '1' }) => wrappedId),
    when: whenListed,
  },
]

/** Comparing it with the first page shows which animals other clients have changed. */
export const lastPage: Step = createListStep('list-100-last', '?limit=100')

/** The last unfiltered pages. The scheme name's case is tested on one of them. */
export const closingSteps: readonly Step[] = [
  { ...createListStep('key-other-case'), credential: 'key-other-case' },
  {
    ...createListStep('list-last'),
    priority: 'low',
    when: {
      text: 'if the key is rejected with the scheme bEaReR',
      holds: ({ otherCaseIsAccepted }) => !otherCaseIsAccepted,
    },
  },
  lastPage,
]

/** The last requests with the main key. If there is not enough room, the later ones are dropped first. */
export const lateSteps: readonly Step[] = [
  {
    ...createListStep('path-unknown'),
    target: () => '/no-such-path',
    isOutside: 'path',
    priority: 'low',
    mayBeRejected: true,
  },
  {
    ...createGetStep('get-partial-id', (known) => `${readListedId(known)}abc`),
    mayBeRejected: true,
    priority: 'low',
    when: whenListed,
  },
  {
    ...createGetStep('get-word', () => 'not-an-id'),
    mayBeRejected: true,
    isAlternative: true,
    when: { text: 'if no animal is listed', holds: (known) => !hasListed(known) },
  },
  {
    ...createGetStep('get-beyond-int64', () => '99999999999999999999'),
    priority: 'low',
    mayBeRejected: true,
  },
  {
    ...createListStep('limit-beyond-int64', '?limit=99999999999999999999'),
    priority: 'low',
    mayBeRejected: true,
  },
]

/** The key without `Bearer`. The server may count these requests against the client address. */
export const schemeSteps: readonly Step[] = [
  { ...createListStep('other-scheme'), credential: 'other-scheme' },
  { ...createListStep('token-scheme'), credential: 'token-scheme' },
  { ...createListStep('no-scheme'), credential: 'no-scheme' },
]

/** Requests without a valid key come last, as their limit may be low. */
export const keylessSteps: readonly Step[] = [
  { ...createListStep('unknown-key-list'), credential: 'unknown-key-alike' },
  { ...createGetStep('unknown-key-get', readListedId), credential: 'unknown-key' },
  { ...createListStep('empty-token'), credential: 'empty-token' },
  { ...createListStep('no-key-list'), credential: 'none' },
  { ...createListStep('no-key-limit-0', '?limit=0'), credential: 'none' },
  { ...createGetStep('no-key-get', ({ unknownId }) => unknownId), credential: 'none' },
]

/** Requests with variants of the throttle key. The main key never appears in a URL or in a wrong form. */
export const throttleKeySteps: readonly Step[] = [
  { ...createListStep('longer-key'), credential: 'throttle-key-longer' },
  { ...createListStep('shorter-key'), credential: 'throttle-key-shorter' },
  {
    ...createListStep('swapped-case-key'),
    credential: 'throttle-key-swapped-case',
    when: {
      text: 'if the throttle key has a letter',
      holds: ({ throttleKeyHasLetters }) => throttleKeyHasLetters,
    },
  },
  { ...createListStep('key-in-query'), credential: 'throttle-key-in-query' },
  { ...createListStep('key-in-header'), credential: 'throttle-key-in-header' },
]

/** Creates a request that uses up the throttle key's limit. */
export function createBurnStep(id: string, mayBeRateLimited?: true): Step {
  const step = { ...createListStep(id, '?limit=1'), credential: 'throttle-key' } as const
  return mayBeRateLimited ? { ...step, mayBeRateLimited } : step
}

/** Name of the group of parallel requests that exceeds the limit. */
export const parallelLimitGroup = 'limit-together'
export const requestsBeyondLimit = 15
/** Parallel requests are sent once `Remaining` is at most this number. */
export const maxRemaining = 5

export function createLimitSteps(count: number): readonly Step[] {
  return Array.from({ length: count }, (_, n) => ({
    ...createBurnStep(`${parallelLimitGroup}-${n + 1}`, true),
    group: parallelLimitGroup,
  }))
}

/** Shows whether both keys share one limit. */
export const stepAfterBurn: Step = {
  ...createListStep('list-after-burn', '?limit=1'),
  mayBeRateLimited: true,
}
