import { judges } from '../testing/judges.ts'
import {
  animals,
  asked,
  each,
  error,
  headers,
  json,
  keyedIds,
  otherIds,
  type Script,
} from '../testing/recorded.ts'
import type { Transcript } from '../transcript/transcript.ts'

const id = 'get-listed'
const others = ['get-first', 'get-last']
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

judges('read', {
  'GET-11 has no evidence if the whole id is not served': ['no-evidence', { [id]: error(404) }],
  'GET-1 has no evidence in a body longer than the suite reads': [
    'no-evidence',
    each([id, ...others], { body: '', truncated: true }),
  ],
  'GET-3 holds without a status': ['holds', shown({ status: undefined })],
  'GET-3 has no evidence if the animal was renamed meanwhile': [
    'no-evidence',
    { ...shown({ name: 'Renamed' }), ...renamed, ...each(others, 'left out') },
  ],
  'GET-1 is broken if one of the three animals is not found': ['broken', { 'get-last': error(404) }],
  'GET-1 holds if others removed one of the three animals': [
    'holds',
    { 'get-last': error(404), ...each(['key-other-case', 'list-100-last'], json(200, animals.slice(0, 20))) },
  ],
  'GET-4 is broken by another animal for a listed id plus 2^32': [
    'broken',
    { 'get-wrapped': json(200, asked) },
  ],
  'GET-4 holds if an unlisted animal has that id': [
    'holds',
    { 'get-wrapped': json(200, { ...asked, id: 4294967303 }) },
  ],
  'GET-8 is broken by another weekday': ['broken', headed('sunset', 'Fri, 05 Dec 2030 12:00:00 GMT')],
  'GET-8 holds in the last minute of the day': ['holds', headed('sunset', 'Friday, 06-Dec-30 12:00:00 GMT')],
  'GET-8 is broken by a second more': ['broken', headed('sunset', 'Fri, 06 Dec 2030 12:00:01 GMT')],
  'GET-8 is broken by an ISO date': ['broken', headed('sunset', '2030-12-05')],
  'GET-9 holds with parameters': ['holds', headed('deprecation', '@1795132800;a;b="c";d=1')],
  'GET-9 is broken by a fraction': ['broken', headed('deprecation', '@1795132800.5')],
})

const dated = (date: string): Partial<Transcript> => ({ now: new Date(date).toISOString() })
/** Every response carries this Date, which shows the server's clock. */
const everywhere = (date: string | undefined): Script =>
  each([...keyedIds, ...otherIds], { headers: headers({ date }) })
const gone = (date: string | undefined, status: number): Script => ({
  ...everywhere(date),
  [id]: { ...error(status), headers: headers({ date }) },
})
const after = 'Sat, 07 Dec 2030 00:00:00 GMT'
const before = 'Fri, 06 Dec 2030 23:59:59 GMT'

judges('read', {
  'GET-6 applies until a day before the date': ['holds', {}, dated('2030-12-03T23:59:59Z')],
  'GET-6 does not apply from then on by our clock': ['not-applicable', {}, dated('2030-12-04T00:00:00Z')],
  'GET-6 does not apply from then on by the server’s clock': [
    'not-applicable',
    gone('Wed, 04 Dec 2030 00:00:00 GMT', 410),
  ],
  'GET-6 uses the real clock if the server sends no Date': [
    'not-applicable',
    gone(undefined, 410),
    { startedAt: '2030-12-08T00:00:00Z' },
  ],
  'GET-7 holds with a 410 from that midnight on': ['holds', gone(after, 410), dated(after)],
  'GET-7 does not apply before that by the server’s clock': [
    'not-applicable',
    gone(before, 200),
    dated(after),
  ],
  'GET-7 does not apply before that by our clock': ['not-applicable', gone(after, 200), dated(before)],
})
