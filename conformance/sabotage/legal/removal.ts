import { editResponse, isGet } from '../change.ts'
import type { Change } from '../deployment.ts'
import { replaced, withHeaders } from '../edit.ts'
import { errorResponse } from '../exchange.ts'
import { allowedBy, type Legal } from '../variant.ts'

const afterRemoval = '2030-12-08T09:00:05Z'
const onTheDay = '2030-12-05T09:00:05Z'

/** Sets headers on the responses of getPet. */
const withGetHeaders = (headers: Readonly<Record<string, string>>): Change =>
  editResponse(isGet, (response) => withHeaders(response, headers))

const removed = (status: number): Change =>
  editResponse(isGet, (response) =>
    response.status === 401 ? response : replaced(response, errorResponse(status)),
  )

/** Variants of what sections 4.3 and 9 leave open about the deprecation and removal of getPet. */
export const legalRemovals: readonly Legal[] = [
  ...allowedBy({
    'the day of removal': {
      'still has getPet on the day of removal': { start: onTheDay },
      'still has getPet a day after its removal date': { start: '2030-12-06T23:00:05Z' },
      'has removed getPet on the day of removal': { start: onTheDay, ...removed(410) },
    },
    'deprecation headers': {
      'sends the Deprecation header of RFC 9745 and a Sunset header': withGetHeaders({
        deprecation: '@1795132800',
        sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
        link: '</v1/pets>; rel="successor-version"',
      }),
      'has its sunset at the end of the day in UTC−12': withGetHeaders({
        sunset: 'Fri, 06 Dec 2030 11:59:59 GMT',
      }),
      'has its sunset at the start of the day in UTC+14': withGetHeaders({
        sunset: 'Wed, 04 Dec 2030 10:00:00 GMT',
      }),
    },
  }),
  ...[410, 404, 405].map(
    (status): Legal => ({
      gap: 'after the removal',
      does: `responds to getPet with ${status} after its removal`,
      start: afterRemoval,
      ...removed(status),
    }),
  ),
]
