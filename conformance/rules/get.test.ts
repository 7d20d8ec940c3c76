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
  'GET-11 a 404 is no evidence if the whole id is not served': ['no-evidence', { [id]: error(404) }],
  'GET-1 a body longer than the suite reads is no evidence': [
    'no-evidence',
    each([id, ...others], { body: '', truncated: true }),
  ],
  'GET-3 no status does not': ['holds', shown({ status: undefined })],
  'GET-3 an animal renamed meanwhile is no evidence': [
    'no-evidence',
    { ...shown({ name: 'Renamed' }), ...renamed, ...each(others, 'left out') },
  ],
  'GET-1 one of the three animals that is not found breaks it': ['broken', { 'get-last': error(404) }],
  'GET-1 one of the three animals that others removed proves nothing': [
    'holds',
    { 'get-last': error(404), ...each(['key-other-case', 'list-100-last'], json(200, animals.slice(0, 20))) },
  ],
  'GET-4 another animal for a listed id plus 2^32 breaks it': ['broken', { 'get-wrapped': json(200, asked) }],
  'GET-4 an unlisted animal may have that id': [
    'holds',
    { 'get-wrapped': json(200, { ...asked, id: 4294967303 }) },
  ],
  'GET-8 another weekday is wrong': ['broken', headed('sunset', 'Fri, 05 Dec 2030 12:00:00 GMT')],
  'GET-8 the last minute of it is right': ['holds', headed('sunset', 'Friday, 06-Dec-30 12:00:00 GMT')],
  'GET-8 a second more is wrong': ['broken', headed('sunset', 'Fri, 06 Dec 2030 12:00:01 GMT')],
  'GET-8 an ISO date is wrong': ['broken', headed('sunset', '2030-12-05')],
  'GET-9 parameters are allowed': ['holds', headed('deprecation', '@1795132800;a;b="c";d=1')],
  'GET-9 a fraction is wrong': ['broken', headed('deprecation', '@1795132800.5')],
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
  'GET-6 it applies until a day before the date': ['holds', {}, dated('2030-12-03T23:59:59Z')],
  'GET-6 it no longer applies then by our clock': ['not-applicable', {}, dated('2030-12-04T00:00:00Z')],
  'GET-6 nor by the server’s': ['not-applicable', gone('Wed, 04 Dec 2030 00:00:00 GMT', 410)],
  'GET-6 the real clock stands in where the server sends no Date': [
    'not-applicable',
    gone(undefined, 410),
    { startedAt: '2030-12-08T00:00:00Z' },
  ],
  'GET-7 a 410 is right from that midnight on': ['holds', gone(after, 410), dated(after)],
  'GET-7 it does not apply while the server’s clock says otherwise': [
    'not-applicable',
    gone(before, 200),
    dated(after),
  ],
  'GET-7 it does not apply while our clock says otherwise': [
    'not-applicable',
    gone(after, 200),
    dated(before),
  ],
})
