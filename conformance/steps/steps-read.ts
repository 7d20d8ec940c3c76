import { get, type Known, list, type Step, type StepId } from './step.ts'

const hasListed = ({ petId }: Known): boolean => petId !== undefined
const listed = (known: Known): string => known.petId ?? '1'
const whenListed = { text: 'if an animal is listed', holds: hasListed }

/** Rules about the form of a list, which a list with each form of query shows. */
const formRules = ['VER-1', 'LIST-1', 'LIST-2', 'LIST-3']
/** Rules about every page, also about one with an invalid parameter. */
export const pageRules: readonly string[] = ['LIST-4', 'LIST-5', 'LIST-15', 'LIST-16', 'LIST-18']
/** Rules that compare a response with the first and the last unfiltered pages. */
const comparingRules = ['LIST-8', 'LIST-9', 'LIST-20', 'GET-1', 'GET-2', 'GET-6']

const anyPage = (id: StepId, query: string, ...more: readonly string[]): Step =>
  list(id, query, [...pageRules, ...more])
const unfiltered = (id: StepId, query: string, ...more: readonly string[]): Step =>
  anyPage(id, query, ...comparingRules, ...more)

/** What the first pages teach. */
const listedValues = ['petId', 'status', 'statusIsShared', 'categoryId', 'otherCategoryId'] as const
/** What a creation teaches, and a page that shows new animals. */
export const createdValues = ['createdId', 'createdIsServed', 'doubtfulStatuses'] as const

/** What every profile sends first, with the key. */
export const openingSteps: readonly Step[] = [
  { ...unfiltered('list', '', ...formRules), teaches: listedValues },
  { ...unfiltered('list-100', '?limit=100', ...formRules), teaches: [...listedValues, ...createdValues] },
]

/** The page behind the creations. */
export const pageAfterCreations: Step = {
  ...unfiltered('list-100-after', '?limit=100'),
  teaches: createdValues,
  when: {
    text: 'if the pages so far show no two animals of one status',
    holds: ({ statusIsShared }) => !statusIsShared,
  },
}

function filtered(status: 'available' | 'pending' | 'sold', ...more: readonly string[]): Step {
  return {
    ...anyPage(`list-${status}-100`, `?status=${status}&limit=100`, 'LIST-9', ...more),
    teaches: createdValues,
  }
}

/** A page that no deployment rejects: where profiles create, it shows what a POST without a valid key leaves behind. */
export const shortPage: Step = anyPage('list-2', '?limit=2', 'LIST-20')

/** What every profile sends then, with the key: pages. */
export const pagingSteps: readonly Step[] = [
  {
    ...anyPage('list-1', '?limit=1', 'LIST-8'),
    inCreate: {
      text: 'if no two animals have one status',
      holds: ({ statusIsShared }) => !statusIsShared,
    },
  },
  { ...shortPage, inCreate: 'never' },
  { ...anyPage('list-available', '?status=available', ...formRules), inCreate: 'never' },
  { ...anyPage('list-pending', '?status=pending'), inCreate: 'never' },
  { ...anyPage('list-sold', '?status=sold'), inCreate: 'never' },
  filtered('available', ...formRules),
  filtered('pending'),
  filtered('sold'),
  {
    ...anyPage('list-status-1', '', 'LIST-8'),
    target: ({ status = '<status>' }) => `/pets?status=${status}&limit=1`,
    when: { text: 'if a listed animal has a status', holds: ({ status }) => status !== undefined },
  },
]

/**
 * What follows them: first getPet, right behind a page, as the rate-limit headers of consecutive successes show whether an
 * operation is charged; then what may be rejected.
 */
export const readingSteps: readonly Step[] = [
  { ...get('get-listed', listed, ['GET-1', 'GET-2', 'GET-4', 'GET-6', 'GET-7', 'GET-11']), when: whenListed },
  anyPage('limit-0', '?limit=0'),
  anyPage('limit-negative', '?limit=-1'),
  anyPage('limit-101', '?limit=101'),
  anyPage('limit-word', '?limit=abc'),
  anyPage('status-undeclared', '?status=lost'),
  get('get-unknown', ({ unknownId }) => unknownId, ['GET-4']),
]

/**
 * What every profile sends after that: the last pages, of which one is requested with the key in another case. Rules
 * compare only animals that the first and the last pages show alike.
 */
export const closingSteps: readonly Step[] = [
  { ...list('key-other-case', '', ['AUTH-11']), credential: 'key-other-case' },
  { ...unfiltered('list-last', '', ...formRules), inCreate: 'never' },
  { ...unfiltered('list-100-last', '?limit=100', ...formRules), teaches: createdValues },
]

/** What every profile sends last with the key, if its bound leaves room: the first ones first. */
export const lateSteps: readonly Step[] = [
  { ...list('path-unknown'), target: () => '/no-such-path', isOutside: true, spare: true },
  {
    ...get('get-partial-id', (known) => `${listed(known)}abc`, ['GET-4', 'GET-5', 'GET-11']),
    spare: true,
    when: whenListed,
  },
  {
    ...get('get-word', () => 'not-an-id', ['GET-4', 'GET-5']),
    inCreate: { text: 'if no animal is listed', holds: (known) => !hasListed(known) },
  },
]

/** What follows them, if there is still room. */
export const lastSteps: readonly Step[] = [
  { ...get('get-beyond-int64', () => '99999999999999999999'), spare: true },
  { ...list('limit-beyond-int64', '?limit=99999999999999999999'), spare: true },
]

/** What every profile sends without a valid key. */
export const keylessSteps: readonly Step[] = [
  { ...list('other-scheme'), credential: 'other-scheme' },
  { ...list('unknown-key-list', '', ['AUTH-4']), credential: 'unknown-key' },
  { ...get('unknown-key-get', listed, ['AUTH-5']), credential: 'unknown-key' },
  { ...list('empty-token', '', ['AUTH-8']), credential: 'empty-token' },
  { ...list('no-key-list', '', ['AUTH-1']), credential: 'none' },
  { ...get('no-key-get', listed, ['AUTH-2']), credential: 'none', inCreate: 'never' },
  { ...list('no-key-limit-0', '?limit=0', ['AUTH-13']), credential: 'none' },
  { ...get('no-key-get-unknown', ({ unknownId }) => unknownId, ['AUTH-2', 'AUTH-13']), credential: 'none' },
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

/** The rules that judge the burn of the throttle key. */
export const burnRules: readonly string[] = [9, 10, 11, 12, 13, 14, 15, 16].map((number) => `RATE-${number}`)

/** Returns a request with the throttle key, to drive it to its limit and to see when it is accepted again. */
export function burnStep(id: StepId, mayBeRateLimited?: true): Step {
  const step = { ...list(id, '?limit=1', burnRules), credential: 'throttle-key' } as const
  return mayBeRateLimited ? { ...step, mayBeRateLimited } : step
}

/** With the key, to see whether the throttle key has used its limit. It may have, so a 429 is no surprise. */
export const stepAfterBurn: Step = { ...list('list-after-burn', '?limit=1'), mayBeRateLimited: true }
