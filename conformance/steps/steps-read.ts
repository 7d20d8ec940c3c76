import { get, type Known, list, type Step } from './step.ts'

const hasListed = ({ petId }: Known): boolean => petId !== undefined
const listed = (known: Known): string => known.petId ?? '1'
const whenListed = { text: 'if an animal is listed', holds: hasListed }

/** What every profile sends first, with the key. */
export const openingSteps: readonly Step[] = [list('list'), list('list-100', '?limit=100')]

/** The page behind the creations. */
export const pageAfterCreations: Step = {
  ...list('list-100-after', '?limit=100'),
  when: {
    text: 'if the pages so far show no two animals of one status',
    holds: ({ statusIsShared }) => !statusIsShared,
  },
}

/** A page that no deployment rejects: where profiles create, it shows what a POST without a valid key leaves behind. */
export const shortPage: Step = list('list-2', '?limit=2')

/** What every profile sends then, with the key: pages. */
export const pagingSteps: readonly Step[] = [
  {
    ...list('list-1', '?limit=1'),
    inCreate: {
      text: 'if no two animals have one status',
      holds: ({ statusIsShared }) => !statusIsShared,
    },
  },
  { ...shortPage, inCreate: 'never' },
  { ...list('list-available', '?status=available'), inCreate: 'never' },
  { ...list('list-pending', '?status=pending'), inCreate: 'never' },
  { ...list('list-sold', '?status=sold'), inCreate: 'never' },
  list('list-available-100', '?status=available&limit=100'),
  list('list-pending-100', '?status=pending&limit=100'),
  list('list-sold-100', '?status=sold&limit=100'),
  {
    ...list('list-status-1', ''),
    target: ({ status = '<status>' }) => `/pets?status=${status}&limit=1`,
    when: { text: 'if a listed animal has a status', holds: ({ status }) => status !== undefined },
  },
]

/**
 * What follows them: first getPet, right behind a page, as the rate-limit headers of consecutive successes show whether
 * an operation is charged; then what may be rejected.
 */
export const readingSteps: readonly Step[] = [
  { ...get('get-listed', listed), when: whenListed },
  { ...list('limit-0', '?limit=0'), mayBeRejected: true },
  { ...list('limit-negative', '?limit=-1'), mayBeRejected: true },
  { ...list('limit-101', '?limit=101'), mayBeRejected: true },
  { ...list('limit-word', '?limit=abc'), mayBeRejected: true },
  { ...list('status-undeclared', '?status=lost'), mayBeRejected: true },
  get('get-unknown', ({ unknownId }) => unknownId),
]

/**
 * What every profile sends after that: the last pages, of which one is requested with the key in another case. Rules
 * compare only animals that the first and the last pages show alike.
 */
export const closingSteps: readonly Step[] = [
  { ...list('key-other-case'), credential: 'key-other-case' },
  { ...list('list-last'), inCreate: 'never' },
  list('list-100-last', '?limit=100'),
]

/** What every profile sends last with the key, if its bound leaves room: the first ones first. */
export const lateSteps: readonly Step[] = [
  {
    ...list('path-unknown'),
    target: () => '/no-such-path',
    isOutside: true,
    spare: true,
    mayBeRejected: true,
  },
  {
    ...get('get-partial-id', (known) => `${listed(known)}abc`),
    mayBeRejected: true,
    spare: true,
    when: whenListed,
  },
  {
    ...get('get-word', () => 'not-an-id'),
    mayBeRejected: true,
    inCreate: { text: 'if no animal is listed', holds: (known) => !hasListed(known) },
  },
]

/** What follows them, if there is still room. */
export const lastSteps: readonly Step[] = [
  { ...get('get-beyond-int64', () => '99999999999999999999'), spare: true, mayBeRejected: true },
  { ...list('limit-beyond-int64', '?limit=99999999999999999999'), spare: true, mayBeRejected: true },
]

/** What every profile sends without a valid key. */
export const keylessSteps: readonly Step[] = [
  { ...list('other-scheme'), credential: 'other-scheme' },
  { ...list('unknown-key-list'), credential: 'unknown-key' },
  { ...get('unknown-key-get', listed), credential: 'unknown-key' },
  { ...list('empty-token'), credential: 'empty-token' },
  { ...list('no-key-list'), credential: 'none' },
  { ...get('no-key-get', listed), credential: 'none', inCreate: 'never' },
  { ...list('no-key-limit-0', '?limit=0'), credential: 'none' },
  { ...get('no-key-get-unknown', ({ unknownId }) => unknownId), credential: 'none' },
]

/** What `exhaust` sends with what is nearly the throttle key, and with the throttle key in a wrong place. */
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

/** With the key, to see whether the throttle key has used its limit. It may have, so a 429 is no surprise. */
export const stepAfterBurn: Step = { ...list('list-after-burn', '?limit=1'), mayBeRateLimited: true }
