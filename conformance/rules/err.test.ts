import { judges } from '../testing/judges.ts'
import { error, headers } from '../testing/recorded.ts'

const id = 'get-unknown'

judges('read', {
  'ERR-1 invalid UTF-8 is no JSON': ['broken', { [id]: { utf8: false } }],
  'ERR-1 the body of a 429 is a gap': ['holds', { [id]: { status: 429, body: 'Slow down' } }],
  'ERR-1 a body that the suite cut off is no evidence': [
    'no-evidence',
    { [id]: { body: '', truncated: true } },
  ],
  'ERR-1 an unknown path is ERR-7’s to judge': ['holds', { 'path-unknown': { status: 404, body: '' } }],
  'ERR-4 a body that is empty has no type': ['holds', { [id]: { status: 404, body: '', headers: [] } }],
  'ERR-4 problem details break it': [
    'broken',
    { [id]: { headers: headers({ 'content-type': 'application/problem+json' }) } },
  ],
  'ERR-4 parameters do not': [
    'holds',
    { [id]: { headers: headers({ 'content-type': 'Application/JSON; charset=utf-8' }) } },
  ],
  'ERR-3 404.0 is an integer': ['holds', { [id]: { body: '{"code":"e","message":"No.","status":404.0}' } }],
  'ERR-7 a 400 is an Error, too': ['holds', { 'path-unknown': error(400) }],
  'ERR-7 a body that the suite cut off is no evidence': [
    'no-evidence',
    { 'path-unknown': { body: '', truncated: true } },
  ],
})
