import { casesOf, judges } from '../testing/judges.ts'
import { error, headers, json, type Script } from '../testing/recorded.ts'

const id = 'get-unknown'
const body = (value: unknown): Script => ({ [id]: json(404, value) })
const without = (...names: readonly string[]): Script => {
  const whole = { code: 'e', message: 'No.', status: 404 }
  return body(Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name))))
}
const text = (body: string): Script => ({ [id]: { status: 404, body } })

judges(
  'read',
  casesOf({
    'ERR-1': {
      'an error without a code breaks it': ['broken', without('code')],
      'a code that is a number breaks it': ['broken', body({ code: 7, message: 'No.', status: 404 })],
      'an array breaks it': ['broken', body([])],
      'an empty body breaks it': ['broken', text('')],
      'a page of HTML breaks it': ['broken', text('<h1>404</h1>')],
      'invalid UTF-8 is no JSON': ['broken', { [id]: { utf8: false } }],
      'a 500 is the deployment’s own': ['broken', { [id]: { status: 500, body: '' } }],
      'the error of a gateway is not judged': ['holds', { [id]: { status: 502, body: '<html>' } }],
      'nor is the error of a proxy': ['holds', { [id]: { status: 525, body: '<html>' } }],
      'the body of a 429 is a gap': ['holds', { [id]: { status: 429, body: 'Slow down' } }],
      'a body that the suite cut off is no evidence': [
        'no-evidence',
        { [id]: { body: '', truncated: true } },
      ],
      'a 400 is an error as well': ['broken', { 'limit-0': { status: 400, body: '' } }],
      'an unknown path is ERR-7’s to judge': ['holds', { 'path-unknown': { status: 404, body: '' } }],
    },
    'ERR-4': {
      'a body that is empty has no type': ['holds', { [id]: { status: 404, body: '', headers: [] } }],
      'problem details break it': [
        'broken',
        { [id]: { headers: headers({ 'content-type': 'application/problem+json' }) } },
      ],
      'parameters do not': [
        'holds',
        { [id]: { headers: headers({ 'content-type': 'Application/JSON; charset=utf-8' }) } },
      ],
      'no content type breaks it': ['broken', { [id]: { headers: headers({ 'content-type': undefined }) } }],
    },
    'ERR-2': {
      'an error without a message breaks it': ['broken', without('message')],
      'null breaks it': ['broken', body({ code: 'e', message: null, status: 404 })],
    },
    'ERR-3': {
      'an error without a status breaks it': ['broken', without('status')],
      'a status as text breaks it': ['broken', body({ code: 'e', message: 'No.', status: '404' })],
      'another status breaks it': ['broken', body({ code: 'e', message: 'No.', status: 400 })],
      '404.0 is an integer': ['holds', text('{"code":"e","message":"No.","status":404.0}')],
    },
    'ERR-5': {
      'an empty code breaks it': ['broken', body({ code: '', message: 'No.', status: 404 })],
      'an empty message breaks it': ['broken', body({ code: 'e', message: '', status: 404 })],
    },
    'ERR-6': {
      'a 500 breaks it': ['broken', { [id]: error(500) }],
      'a gateway breaks it as well': ['broken', { [id]: error(504) }],
    },
  }),
)

const probe = 'path-unknown'
judges(
  'create',
  casesOf({
    'ERR-7': {
      'a 404 without a body breaks it': ['broken', { [probe]: { status: 404, body: '' } }],
      'HTML breaks it': ['broken', { [probe]: { status: 404, body: '<h1>404</h1>' } }],
      'another shape breaks it': ['broken', { [probe]: json(404, { error: 'Not Found' }) }],
      'another status in the body breaks it': ['broken', { [probe]: { ...error(400), status: 404 } }],
      'a page of an application breaks it': ['broken', { [probe]: { status: 200, body: '<div>' } }],
      'a redirect breaks it': ['broken', { [probe]: { status: 302, body: '' } }],
      'an error without a limit breaks it': [
        'broken',
        { [probe]: { headers: headers({ 'x-ratelimit-limit': undefined }) } },
      ],
      'a 403 is an error as well': ['holds', { [probe]: error(403) }],
      'a gateway is no evidence': ['no-evidence', { [probe]: error(502) }],
      'a body that the suite cut off is no evidence': [
        'no-evidence',
        { [probe]: { body: '', truncated: true } },
      ],
    },
    'ERR-1': {
      'an unknown method is only observed': ['holds', { 'method-unknown': { status: 405, body: '' } }],
    },
    'ERR-6': {
      'a 500 to an unknown method breaks it': ['broken', { 'method-unknown': error(500) }],
      'a 500 to U+0000 in a name breaks it': ['broken', { 'odd-nul-name': error(500) }],
    },
  }),
)
