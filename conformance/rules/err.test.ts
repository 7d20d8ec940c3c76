import { judges } from '../testing/judges.ts'
import { error, headers, json, type Script } from '../testing/recorded.ts'

const id = 'get-unknown'
const body = (value: unknown): Script => ({ [id]: json(404, value) })
const without = (...names: readonly string[]): Script => {
  const whole = { code: 'e', message: 'No.', status: 404 }
  return body(Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name))))
}
const text = (body: string): Script => ({ [id]: { status: 404, body } })

judges('read', [
  ['ERR-1', 'an error without a code breaks it', without('code'), 'broken'],
  ['ERR-1', 'a code that is a number breaks it', body({ code: 7, message: 'No.', status: 404 }), 'broken'],
  ['ERR-1', 'an array breaks it', body([]), 'broken'],
  ['ERR-1', 'an empty body breaks it', text(''), 'broken'],
  ['ERR-1', 'a page of HTML breaks it', text('<h1>404</h1>'), 'broken'],
  ['ERR-1', 'invalid UTF-8 is no JSON', { [id]: { utf8: false } }, 'broken'],
  ['ERR-1', 'a 500 is the deployment’s own', { [id]: { status: 500, body: '' } }, 'broken'],
  ['ERR-1', 'the error of a gateway is not judged', { [id]: { status: 502, body: '<html>' } }, 'holds'],
  ['ERR-1', 'nor is the error of a proxy', { [id]: { status: 525, body: '<html>' } }, 'holds'],
  ['ERR-1', 'the body of a 429 is a gap', { [id]: { status: 429, body: 'Slow down' } }, 'holds'],
  [
    'ERR-1',
    'a body that the suite cut off is no evidence',
    { [id]: { body: '', truncated: true } },
    'no-evidence',
  ],
  ['ERR-1', 'a 400 is an error as well', { 'limit-0': { status: 400, body: '' } }, 'broken'],
  ['ERR-1', 'an unknown path is ERR-7’s to judge', { 'path-unknown': { status: 404, body: '' } }, 'holds'],
  ['ERR-4', 'a body that is empty has no type', { [id]: { status: 404, body: '', headers: [] } }, 'holds'],
  ['ERR-2', 'an error without a message breaks it', without('message'), 'broken'],
  ['ERR-2', 'null breaks it', body({ code: 'e', message: null, status: 404 }), 'broken'],
  ['ERR-3', 'an error without a status breaks it', without('status'), 'broken'],
  ['ERR-3', 'a status as text breaks it', body({ code: 'e', message: 'No.', status: '404' }), 'broken'],
  ['ERR-3', 'another status breaks it', body({ code: 'e', message: 'No.', status: 400 }), 'broken'],
  ['ERR-3', '404.0 is an integer', text('{"code":"e","message":"No.","status":404.0}'), 'holds'],
  [
    'ERR-4',
    'problem details break it',
    { [id]: { headers: headers({ 'content-type': 'application/problem+json' }) } },
    'broken',
  ],
  [
    'ERR-4',
    'parameters do not',
    { [id]: { headers: headers({ 'content-type': 'Application/JSON; charset=utf-8' }) } },
    'holds',
  ],
  [
    'ERR-4',
    'no content type breaks it',
    { [id]: { headers: headers({ 'content-type': undefined }) } },
    'broken',
  ],
  ['ERR-5', 'an empty code breaks it', body({ code: '', message: 'No.', status: 404 }), 'broken'],
  ['ERR-5', 'an empty message breaks it', body({ code: 'e', message: '', status: 404 }), 'broken'],
  ['ERR-6', 'a 500 breaks it', { [id]: error(500) }, 'broken'],
  ['ERR-6', 'a gateway breaks it as well', { [id]: error(504) }, 'broken'],
])

const probe = 'path-unknown'
judges('create', [
  ['ERR-7', 'a 404 without a body breaks it', { [probe]: { status: 404, body: '' } }, 'broken'],
  ['ERR-7', 'HTML breaks it', { [probe]: { status: 404, body: '<h1>404</h1>' } }, 'broken'],
  ['ERR-7', 'another shape breaks it', { [probe]: json(404, { error: 'Not Found' }) }, 'broken'],
  ['ERR-7', 'another status in the body breaks it', { [probe]: { ...error(400), status: 404 } }, 'broken'],
  ['ERR-7', 'a page of an application breaks it', { [probe]: { status: 200, body: '<div>' } }, 'broken'],
  ['ERR-7', 'a redirect breaks it', { [probe]: { status: 302, body: '' } }, 'broken'],
  [
    'ERR-7',
    'an error without a limit breaks it',
    { [probe]: { headers: headers({ 'x-ratelimit-limit': undefined }) } },
    'broken',
  ],
  ['ERR-7', 'a 403 is an error as well', { [probe]: error(403) }, 'holds'],
  ['ERR-7', 'a gateway is no evidence', { [probe]: error(502) }, 'no-evidence'],
  [
    'ERR-7',
    'a body that the suite cut off is no evidence',
    { [probe]: { body: '', truncated: true } },
    'no-evidence',
  ],
  ['ERR-1', 'an unknown method is only observed', { 'method-unknown': { status: 405, body: '' } }, 'holds'],
  ['ERR-6', 'a 500 to an unknown method breaks it', { 'method-unknown': error(500) }, 'broken'],
  ['ERR-6', 'a 500 to U+0000 in a name breaks it', { 'odd-nul-name': error(500) }, 'broken'],
])
