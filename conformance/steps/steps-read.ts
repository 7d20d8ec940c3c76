import { get, type Known, list, type Step } from './step.ts'

const hasListed = ({ petId }: Known): boolean => petId !== undefined
const listed = (known: Known): string => known.petId ?? '1'
const whenListed = { text: 'if an animal is listed', holds: hasListed }

/** The first requests of every profile, with the key. */
export const openingSteps: readonly Step[] = [list('list'), list('list-100', '?limit=100')]

/**
 * Pages with a small limit. Profiles that create send them behind a POST without a valid key, to see what it leaves.
 */
export const smallPages: { readonly two: Step; readonly fifty: Step } = {
  two: list('list-2', '?limit=2'),
  fifty: list('list-50', '?limit=50'),
}

/** Pages with and without a filter, with the key. */
export const pagingSteps: readonly Step[] = [
  list('list-1', '?limit=1'),
  list('list-available', '?status=available'),
  list('list-pending', '?status=pending'),
  list('list-sold', '?status=sold'),
]

/** Whole pages of a status. Profiles that create send them behind the creations, as they show the new animals too. */
export const statusPages: readonly Step[] = [
  list('list-available-100', '?status=available&limit=100'),
  list('list-pending-100', '?status=pending&limit=100'),
  list('list-sold-100', '?status=sold&limit=100'),
]

/** The page with a filter and a limit. */
export const filteredPage: Step = {
  ...list('list-status-1', ''),
  target: ({ status = '<status>' }) => `/pets?status=${status}&limit=1`,
  when: { text: 'if a listed animal has a status', holds: ({ status }) => status !== undefined },
  inCreate: {
    text: 'if two listed animals have one status, and the first has another one',
    holds: ({ statusDecides }) => statusDecides,
  },
}

/**
 * Requests after the pages: first getPet, directly after a page, as the headers of consecutive successes show whether
 * an operation is charged; then what may be rejected.
 */
export const readingSteps: readonly Step[] = [
  { ...get('get-listed', listed), when: whenListed },
  {
    ...get('get-first', ({ firstPetId = '1' }) => firstPetId),
    when: {
      text: 'if it is another animal than the one before',
      holds: ({ petId, firstPetId }) => firstPetId !== undefined && firstPetId !== petId,
    },
  },
  {
    ...get('get-last', ({ lastPetId = '1' }) => lastPetId),
    when: {
      text: 'if it is another animal than the two before',
      holds: ({ petId, firstPetId, lastPetId }) =>
        lastPetId !== undefined && lastPetId !== petId && lastPetId !== firstPetId,
    },
  },
  { ...list('limit-0', '?limit=0'), mayBeRejected: true },
  { ...list('limit-negative', '?limit=-1'), mayBeRejected: true },
  { ...list('limit-101', '?limit=101'), mayBeRejected: true },
  { ...list('limit-200', '?limit=200'), mayBeRejected: true },
  { ...list('limit-word', '?limit=abc'), mayBeRejected: true },
  { ...list('status-undeclared', '?status=lost'), mayBeRejected: true },
  { ...list('status-beginning', '?status=sol'), mayBeRejected: true },
  get('get-unknown', ({ unknownId }) => unknownId),
  {
    ...get('get-wrapped', ({ wrappedId = '1' }) => wrappedId),
    when: whenListed,
  },
]

/**
 * The last pages. One is requested with the scheme in another case. Rules compare only animals that the first and the
 * last pages show alike.
 */
export const closingSteps: readonly Step[] = [
  { ...list('key-other-case'), credential: 'key-other-case' },
  {
    ...list('list-last'),
    priority: 'low',
    when: {
      text: 'if the key is not accepted in the other case',
      holds: ({ otherCaseIsAccepted }) => !otherCaseIsAccepted,
    },
  },
  list('list-100-last', '?limit=100'),
]

/** The last requests with the key. If the bound leaves no room, the later ones are left out first. */
export const lateSteps: readonly Step[] = [
  {
    ...list('path-unknown'),
    target: () => '/no-such-path',
    isOutside: 'path',
    priority: 'low',
    mayBeRejected: true,
  },
  {
    ...get('get-partial-id', (known) => `${listed(known)}abc`),
    mayBeRejected: true,
    priority: 'low',
    when: whenListed,
  },
  {
    ...get('get-word', () => 'not-an-id'),
    mayBeRejected: true,
    alternative: true,
    when: { text: 'if no animal is listed', holds: (known) => !hasListed(known) },
  },
  { ...get('get-beyond-int64', () => '99999999999999999999'), priority: 'low', mayBeRejected: true },
  { ...list('limit-beyond-int64', '?limit=99999999999999999999'), priority: 'low', mayBeRejected: true },
]

/**
 * Requests with the key under another scheme. It comes before the burn: a deployment may charge these requests to an
 * anonymous client, whose limit may be small.
 */
export const schemeSteps: readonly Step[] = [
  { ...list('other-scheme'), credential: 'other-scheme' },
  { ...list('token-scheme'), credential: 'token-scheme' },
  { ...list('no-scheme'), credential: 'no-scheme' },
]

/** Requests without a valid key. */
export const keylessSteps: readonly Step[] = [
  { ...list('unknown-key-list'), credential: 'unknown-key-alike' },
  { ...get('unknown-key-get', listed), credential: 'unknown-key' },
  { ...list('empty-token'), credential: 'empty-token' },
  { ...list('no-key-list'), credential: 'none' },
  { ...list('no-key-limit-0', '?limit=0'), credential: 'none' },
  { ...get('no-key-get', ({ unknownId }) => unknownId), credential: 'none' },
]

/** Requests of `exhaust` with a key that is nearly the throttle key, and with the throttle key in a wrong place. */
export const throttleKeySteps: readonly Step[] = [
  { ...list('longer-key'), credential: 'throttle-key-longer' },
  { ...list('shorter-key'), credential: 'throttle-key-shorter' },
  {
    ...list('swapped-case-key'),
    credential: 'throttle-key-swapped-case',
    when: {
      text: 'if the throttle key has a letter',
      holds: ({ throttleKeyHasLetters }) => throttleKeyHasLetters,
    },
  },
  { ...list('key-in-query'), credential: 'throttle-key-in-query' },
  { ...list('key-in-header'), credential: 'throttle-key-in-header' },
]

/** Returns a request with the throttle key, to drive it to its limit and to see when it is accepted again. */
export function burnStep(id: string, mayBeRateLimited?: true): Step {
  const step = { ...list(id, '?limit=1'), credential: 'throttle-key' } as const
  return mayBeRateLimited ? { ...step, mayBeRateLimited } : step
}

/** Shows whether the throttle key has used the limit of the key. It may have, so a 429 is expected. */
export const stepAfterBurn: Step = { ...list('list-after-burn', '?limit=1'), mayBeRateLimited: true }
