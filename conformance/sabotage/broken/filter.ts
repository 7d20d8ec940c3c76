import {
  allOf,
  asking,
  askingUndeclared,
  hear,
  listing,
  sayOn,
  type When,
  withList,
  withQuery,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import type { Broken } from '../variant.ts'

const filtered: When = (call) => listing(call) && call.query.status !== undefined
const small: When = (call) => filtered(call) && (call.query.limit ?? '100') !== '100'

/** Puts an animal of another status onto the default page of one status. */
const leak = (status: string, other: string): Change =>
  sayOn(
    [200],
    allOf(asking('status', status), (call) => call.query.limit === undefined),
    (reply) =>
      withList(reply, (pets) => [
        ...pets.slice(1),
        { id: 77_777n, name: 'Stray', categoryId: 1n, status: other },
      ]),
  )

/** What breaks section 3, and the filter of section 4.1. */
export const brokenFilters: readonly Broken[] = [
  { rule: 'LIST-12', does: 'lists a sold one as available', change: leak('available', 'sold') },
  { rule: 'LIST-13', does: 'lists an available one as pending', change: leak('pending', 'available') },
  { rule: 'LIST-14', does: 'lists a pending one as sold', change: leak('sold', 'pending') },
  {
    rule: 'LIST-15',
    does: 'hides an animal from its filter',
    change: sayOn([200], filtered, (reply) => withList(reply, (pets) => pets.slice(1))),
  },
  {
    rule: 'LIST-15',
    does: 'finds nobody who is sold',
    mayTouch: ['CREATE-8'],
    change: sayOn([200], asking('status', 'sold'), (reply) => withList(reply, () => [])),
  },
  {
    rule: 'LIST-16',
    does: 'forgets the limit where there is a filter',
    change: hear(small, (call) => withQuery(call, { limit: '100' })),
  },
  {
    rule: 'LIST-16',
    does: 'forgets the filter where there is a small limit',
    change: hear(small, (call) => withQuery(call, { status: undefined })),
  },
  {
    rule: 'LIST-17',
    does: 'ignores a filter that it does not know',
    change: hear(askingUndeclared, (call) => withQuery(call, { status: undefined })),
  },
]
