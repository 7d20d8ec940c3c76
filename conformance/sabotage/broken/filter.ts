import { allOf, editPages, editRequest, hasUndeclaredStatus, isList, queryIs, type When } from '../change.ts'
import type { Change } from '../deployment.ts'
import { withQuery } from '../edit.ts'
import type { JsonObject } from '../json.ts'
import { type Broken, brokenBy } from '../variant.ts'

const filtered: When = (request) => isList(request) && request.query.status !== undefined
const limited: When = (request) => filtered(request) && (request.query.limit ?? '100') !== '100'

const stray = (status: string): JsonObject => ({ id: 77_777n, name: 'Stray', categoryId: 1n, status })

/** Adds an animal with another status to the default page of one status. */
const leak = (status: string, other: string): Change =>
  editPages(
    allOf(queryIs('status', status), (request) => request.query.limit === undefined),
    (pets) => [...pets.slice(1), stray(other)],
  )

/** Variants that break section 3, or the filter of section 4.1. */
export const brokenFilters: readonly Broken[] = [
  ...brokenBy({
    'LIST-12': {
      'returns a sold animal for status=available': { profile: 'read', ...leak('available', 'sold') },
    },
    'LIST-13': {
      'returns an available animal for status=pending': { profile: 'read', ...leak('pending', 'available') },
    },
    'LIST-14': {
      'returns a pending animal for status=sold': { profile: 'read', ...leak('sold', 'pending') },
    },
    'LIST-15': {
      'leaves an animal out of its filtered list': editPages(filtered, (pets) => pets.slice(1)),
      'returns an empty list for status=sold': {
        alsoBreaks: ['CREATE-8'],
        ...editPages(queryIs('status', 'sold'), () => []),
      },
    },
    'LIST-16': {
      'ignores the limit of a filtered list': {
        profile: 'read',
        ...editRequest(limited, (request) => withQuery(request, { limit: '100' })),
      },
      'ignores the filter of a list with a small limit': editRequest(limited, (request) =>
        withQuery(request, { status: undefined }),
      ),
    },
    'LIST-17': {
      'ignores a filter by an undeclared status': editRequest(hasUndeclaredStatus, (request) =>
        withQuery(request, { status: undefined }),
      ),
    },
  }),
  ...(['available', 'pending', 'sold'] as const).map(
    (status, n): Broken => ({
      rule: `LIST-${12 + n}`,
      does: `adds an animal of another status to the long page of status=${status}`,
      ...editPages(allOf(queryIs('status', status), queryIs('limit', '100')), (pets) => [
        ...pets,
        stray(status === 'sold' ? 'pending' : 'sold'),
      ]),
    }),
  ),
]
