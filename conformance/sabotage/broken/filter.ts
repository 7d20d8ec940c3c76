import {
  allOf,
  editRequest,
  editResponseWith,
  hasUndeclaredStatus,
  isList,
  queryIs,
  type When,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { withList, withQuery } from '../edit.ts'
import type { Broken } from '../variant.ts'

const filtered: When = (request) => isList(request) && request.query.status !== undefined
const small: When = (request) => filtered(request) && (request.query.limit ?? '100') !== '100'

/** Puts an animal of another status onto the default page of one status. */
const leak = (status: string, other: string): Change =>
  editResponseWith(
    [200],
    allOf(queryIs('status', status), (request) => request.query.limit === undefined),
    (response) =>
      withList(response, (pets) => [
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
    change: editResponseWith([200], filtered, (response) => withList(response, (pets) => pets.slice(1))),
  },
  {
    rule: 'LIST-15',
    does: 'finds nobody who is sold',
    alsoBreaks: ['CREATE-8'],
    change: editResponseWith([200], queryIs('status', 'sold'), (response) => withList(response, () => [])),
  },
  {
    rule: 'LIST-16',
    does: 'forgets the limit where there is a filter',
    change: editRequest(small, (request) => withQuery(request, { limit: '100' })),
  },
  {
    rule: 'LIST-16',
    does: 'forgets the filter where there is a small limit',
    change: editRequest(small, (request) => withQuery(request, { status: undefined })),
  },
  {
    rule: 'LIST-17',
    does: 'ignores a filter that it does not know',
    change: editRequest(hasUndeclaredStatus, (request) => withQuery(request, { status: undefined })),
  },
]
