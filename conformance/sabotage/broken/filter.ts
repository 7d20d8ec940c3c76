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
import type { JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

const filtered: When = (request) => isList(request) && request.query.status !== undefined
const limited: When = (request) => filtered(request) && (request.query.limit ?? '100') !== '100'

const stray = (status: string): JsonObject => ({ id: 77_777n, name: 'Stray', categoryId: 1n, status })

/** Adds an animal with another status to the default page of one status. */
const leak = (status: string, other: string): Change =>
  editResponseWith(
    [200],
    allOf(queryIs('status', status), (request) => request.query.limit === undefined),
    (response) => withList(response, (pets) => [...pets.slice(1), stray(other)]),
  )

/** Variants that break section 3, or the filter of section 4.1. */
export const brokenFilters: readonly Broken[] = [
  {
    rule: 'LIST-12',
    does: 'returns a sold animal for status=available',
    profile: 'read',
    change: leak('available', 'sold'),
  },
  {
    rule: 'LIST-13',
    does: 'returns an available animal for status=pending',
    profile: 'read',
    change: leak('pending', 'available'),
  },
  {
    rule: 'LIST-14',
    does: 'returns a pending animal for status=sold',
    profile: 'read',
    change: leak('sold', 'pending'),
  },
  ...(['available', 'pending', 'sold'] as const).map(
    (status, n): Broken => ({
      rule: `LIST-${12 + n}`,
      does: `adds an animal of another status to the long page of status=${status}`,
      change: editResponseWith([200], allOf(queryIs('status', status), queryIs('limit', '100')), (response) =>
        withList(response, (pets) => [...pets, stray(status === 'sold' ? 'pending' : 'sold')]),
      ),
    }),
  ),
  {
    rule: 'LIST-15',
    does: 'leaves an animal out of its filtered list',
    change: editResponseWith([200], filtered, (response) => withList(response, (pets) => pets.slice(1))),
  },
  {
    rule: 'LIST-15',
    does: 'returns an empty list for status=sold',
    alsoBreaks: ['CREATE-8'],
    change: editResponseWith([200], queryIs('status', 'sold'), (response) => withList(response, () => [])),
  },
  {
    rule: 'LIST-16',
    does: 'ignores the limit of a filtered list',
    profile: 'read',
    change: editRequest(limited, (request) => withQuery(request, { limit: '100' })),
  },
  {
    rule: 'LIST-16',
    does: 'ignores the filter of a list with a small limit',
    change: editRequest(limited, (request) => withQuery(request, { status: undefined })),
  },
  {
    rule: 'LIST-17',
    does: 'ignores a filter by an undeclared status',
    change: editRequest(hasUndeclaredStatus, (request) => withQuery(request, { status: undefined })),
  },
]
