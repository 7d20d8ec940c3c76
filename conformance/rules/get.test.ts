import { type Case, judges } from '../testing/judges.ts'
import {
  allPages,
  animals,
  asked,
  each,
  error,
  filteredPages,
  headers,
  json,
  keyedIds,
  otherIds,
  type Script,
  unfilteredPages,
} from '../testing/recorded.ts'
import type { Transcript } from '../transcript/transcript.ts'

const id = 'get-listed'
const shown = (change: Readonly<Record<string, unknown>>): Script => ({
  [id]: json(200, { ...asked, ...change }),
})
const headed = (name: string, value: string): Script => ({ [id]: { headers: headers({ [name]: value }) } })
/** The closing pages, with the animal asked for as others have left it. */
const meanwhile = (change: Readonly<Record<string, unknown>>): Script => {
  const left = animals.map((animal) => (animal === asked ? { ...animal, ...change } : animal))
  const short = json(200, left.slice(0, 20))
  return { 'key-other-case': short, 'list-last': short, 'list-100-last': json(200, left) }
}
const renamed = meanwhile({ name: 'Renamed' })

const served: readonly Case[] = [
  ['GET-1', 'a 404 breaks it', { [id]: error(404) }, 'broken'],
  ['GET-1', 'a 403 to a key that lists breaks it', { [id]: error(403) }, 'broken'],
  ['GET-1', 'a 500 breaks it', { [id]: error(500) }, 'broken'],
  ['GET-1', 'an animal without a name breaks it', shown({ name: undefined }), 'broken'],
  ['GET-1', 'an unknown status breaks it', shown({ status: 'lost' }), 'broken'],
  ['GET-1', 'what is no JSON breaks it', { [id]: { body: 'no' } }, 'broken'],
  [
    'GET-1',
    'an animal that is gone in the end is no evidence',
    { [id]: error(404), ...meanwhile({ id: 99 }) },
    'no-evidence',
  ],
  [
    'GET-1',
    'an animal that changes meanwhile is no evidence',
    { [id]: error(404), ...renamed },
    'no-evidence',
  ],
  [
    'GET-1',
    'a body longer than the suite reads is no evidence',
    { [id]: { body: '', truncated: true } },
    'no-evidence',
  ],
  ['GET-1', 'where nothing is listed there is nothing to ask for', { [id]: 'left out' }, 'no-evidence'],
  ['GET-2', 'another id breaks it', shown({ id: 8 }), 'broken'],
  ['GET-2', 'what is no Pet is GET-1’s to judge', { [id]: error(500) }, 'no-evidence'],
  ['GET-3', 'another name breaks it', shown({ name: 'Other' }), 'broken'],
  ['GET-3', 'another category breaks it', shown({ categoryId: 77 }), 'broken'],
  ['GET-3', 'another status breaks it', shown({ status: 'pending' }), 'broken'],
  ['GET-3', 'no status does not', shown({ status: undefined }), 'holds'],
  [
    'GET-3',
    'a name in another normal form does not',
    {
      ...each([...allPages], json(200, [{ ...asked, name: 'Émile'.normalize('NFD') }])),
      ...shown({ name: 'Émile'.normalize('NFC') }),
    },
    'holds',
  ],
  [
    'GET-3',
    'a category that is equal as a double breaks it',
    {
      [id]: { body: `{"id":${asked.id},"name":"${asked.name}","categoryId":9007199254740992}` },
      ...each(unfilteredPages, {
        body: `[{"id":${asked.id},"name":"${asked.name}","categoryId":9007199254740993}]`,
      }),
      ...each(filteredPages, json(200, [])),
      'list-status-1': json(200, []),
    },
    'broken',
  ],
  [
    'GET-3',
    'an animal renamed meanwhile is no evidence',
    { ...shown({ name: 'Renamed' }), ...renamed },
    'no-evidence',
  ],
  ['GET-4', 'an animal breaks it', { 'get-unknown': json(200, asked) }, 'broken'],
  ['GET-4', 'a 400 breaks it', { 'get-unknown': error(400) }, 'broken'],
  ['GET-4', 'a 404 is no evidence if getPet never succeeds', { [id]: error(404) }, 'no-evidence'],
  ['GET-5', 'an animal breaks it', { 'get-word': json(200, asked) }, 'broken'],
  ['GET-5', 'a 500 breaks it', { 'get-word': error(500) }, 'broken'],
  [
    'GET-5',
    'a rejection is no evidence where nothing at all is served',
    each(allPages, error(404)),
    'no-evidence',
  ],
  [
    'GET-5',
    'an id with text behind it decides where it is the only one',
    { 'get-word': 'left out', 'get-partial-id': json(200, asked) },
    'broken',
  ],
  ['GET-5', 'a 422 is fine', { 'get-word': error(422) }, 'holds'],
  ['GET-6', 'a 404 breaks it', { [id]: error(404) }, 'broken'],
  ['GET-6', 'a 405 breaks it', { [id]: error(405) }, 'broken'],
  ['GET-6', 'a 410 breaks it', { [id]: error(410) }, 'broken'],
  ['GET-6', 'a 500 is no evidence', { [id]: error(500) }, 'no-evidence'],
  ['GET-6', 'a 200 without a Pet is no evidence', { [id]: json(200, {}) }, 'no-evidence'],
  ['GET-10', 'HTML breaks it', headed('content-type', 'text/html'), 'broken'],
  ['GET-10', 'nothing is proved where nothing is served', { [id]: error(500) }, 'no-evidence'],
]

const marked: readonly Case[] = [
  ['GET-8', 'it does not apply without the header', {}, 'not-applicable'],
  ['GET-8', 'midnight UTC is right', headed('sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'), 'holds'],
  [
    'GET-8',
    'the earliest minute of the day on earth is right',
    headed('sunset', 'Wed, 04 Dec 2030 10:00:00 GMT'),
    'holds',
  ],
  ['GET-8', 'the last minute of it is right', headed('sunset', 'Friday, 06-Dec-30 12:00:00 GMT'), 'holds'],
  ['GET-8', 'a second more is wrong', headed('sunset', 'Fri, 06 Dec 2030 12:00:01 GMT'), 'broken'],
  ['GET-8', 'another year is wrong', headed('sunset', 'Wed, 05 Dec 2029 00:00:00 GMT'), 'broken'],
  ['GET-8', 'an ISO date is wrong', headed('sunset', '2030-12-05'), 'broken'],
  ['GET-9', 'it does not apply without the header', {}, 'not-applicable'],
  ['GET-9', 'a date of structured fields is right', headed('deprecation', '@1795132800'), 'holds'],
  ['GET-9', 'parameters are allowed', headed('deprecation', '@1795132800;a;b="c";d=1'), 'holds'],
  ['GET-9', 'a word is wrong', headed('deprecation', 'true'), 'broken'],
  ['GET-9', 'an HTTP-date is wrong', headed('deprecation', 'Fri, 20 Nov 2026 00:00:00 GMT'), 'broken'],
  ['GET-9', 'a fraction is wrong', headed('deprecation', '@1795132800.5'), 'broken'],
]

judges('read', [...served, ...marked])

const dated = (date: string): Partial<Transcript> => ({ now: new Date(date).toISOString() })
/** Every response carries this Date, by which the server's clock is known. */
const everywhere = (date: string | undefined): Script =>
  each([...keyedIds, ...otherIds], { headers: headers({ date }) })
const gone = (date: string | undefined, status: number): Script => ({
  ...everywhere(date),
  [id]: { ...error(status), headers: headers({ date }) },
})
const after = 'Sat, 07 Dec 2030 00:00:00 GMT'
const before = 'Fri, 06 Dec 2030 23:59:59 GMT'

judges('read', [
  ['GET-6', 'it applies until a day before the date', {}, 'holds', dated('2030-12-03T23:59:59Z')],
  ['GET-6', 'it no longer applies then by our clock', {}, 'not-applicable', dated('2030-12-04T00:00:00Z')],
  ['GET-6', 'nor by the server’s', gone('Wed, 04 Dec 2030 00:00:00 GMT', 410), 'not-applicable'],
  [
    'GET-6',
    'the real clock stands in where the server sends no Date',
    gone(undefined, 410),
    'not-applicable',
    { startedAt: '2030-12-08T00:00:00Z' },
  ],
  ['GET-10', 'it does not apply once getPet is gone', gone(after, 410), 'not-applicable', dated(after)],
  ['GET-7', 'it does not apply before', { [id]: json(200, asked) }, 'not-applicable'],
  [
    'GET-7',
    'getPet still there breaks it',
    { ...everywhere(after), [id]: { ...json(200, asked), headers: headers({ date: after }) } },
    'broken',
    dated(after),
  ],
  ['GET-7', 'a 410 is right', gone(after, 410), 'holds', dated(after)],
  ['GET-7', 'a 405 is right', gone(after, 405), 'holds', dated(after)],
  [
    'GET-7',
    'it does not apply while the server’s clock says otherwise',
    gone(before, 200),
    'not-applicable',
    dated(after),
  ],
  [
    'GET-7',
    'it does not apply while our clock says otherwise',
    gone(after, 200),
    'not-applicable',
    dated(before),
  ],
])
