import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recorded } from '../testing/recorded.ts'
import { catalogue } from './catalogue.ts'

/** The catalogue as it was decided: id, level, section of the spec, profile, and the rule. */
const decided = `
VER-1 MUST 9 read: the path of the base address under which an operation was found has the segment \`v1\`
AUTH-1 MUST 5 read: listPets without a key: 401
AUTH-2 MUST 5 read: getPet without a key: 401
AUTH-3 MUST 5 create: createPet without a key, valid body: 401
AUTH-4 MUST 5 read: listPets with an unknown key: 401
AUTH-5 MUST 5 read: getPet with an unknown key: 401
AUTH-6 MUST 5 create: createPet with an unknown key, valid body: 401
AUTH-7 MUST 5 read: the key under another scheme than Bearer (as the user of Basic) is not served: 401
AUTH-8 MUST 5 read: an empty bearer token is not served: 401
AUTH-9 MUST 5 read: a valid key is accepted
AUTH-10 HTTP 5 read: a 401 carries \`WWW-Authenticate: Bearer\`
AUTH-11 HTTP 5 read: the scheme’s name is accepted in any case
AUTH-12 SHOULD 5 exhaust: a key in the query (\`access_token\`), without the header, is not served
AUTH-13 MUST 5 read: without a key, \`limit=0\` and getPet of an unknown id: 401
AUTH-14 MUST 5 create: createPet with an invalid body, without a key and with an unknown key: 401
AUTH-15 SHOULD 5 exhaust: only the key itself is accepted: with a character more, with one less and in the other case, it returns 401
AUTH-16 SHOULD 5 exhaust: a key in \`X-API-Key\`, without the header, is not served
ERR-1 MUST 7 read: the body of an error is a JSON object with a string \`code\`
ERR-2 MUST 7 read: and a string \`message\`
ERR-3 MUST 7 read: and an integer \`status\` equal to the response’s status
ERR-4 MUST 4 read: its content type is \`application/json\`
ERR-5 SHOULD 7 read: \`code\` and \`message\` are not empty
ERR-6 SHOULD 7 read: nothing that the suite sends returns a 5xx
ERR-7 SHOULD 7 read: a path below the base address that leads nowhere returns an Error and the three headers
LIST-1 MUST 4.1 read: \`GET /pets\` with a key: 200
LIST-2 MUST 4 read: content type \`application/json\`
LIST-3 MUST 2 read: a bare array
LIST-4 MUST 2 read: every element has the required fields of Pet, each of its type: \`id\` and \`categoryId\` integers within int64, \`name\` a string
LIST-5 MUST 2 read: an element’s \`status\`, where present, is a PetStatus (\`null\` is not)
LIST-6 MUST 4.1 read: without \`limit\`, at most 20 animals
LIST-7 SHOULD 4.1 read: without \`limit\`, exactly 20 when there are more than 20
LIST-8 MUST 4.1 read: \`limit=1\`: 200, at most 1 animal
LIST-9 MUST 4.1 read: \`limit=100\`: 200, at most 100 animals
LIST-10 MUST 4.1 read: \`limit=101\` never returns more than 100 animals
LIST-11 SHOULD 4.1 read: \`limit\` of 0, −1, 101 or \`abc\`: a 4xx, or at most 100 animals (none, for 0, is fine)
LIST-12 MUST 3 read: \`status=available\` returns no animal of another status
LIST-13 MUST 3 read: \`status=pending\` returns no animal of another status
LIST-14 MUST 3 read: \`status=sold\` returns no animal of another status
LIST-15 MUST 3 read: a filter hides nothing: an animal that the first and the last unfiltered page show with a status is on every complete page of that status
LIST-16 MUST 4.1 read: \`limit\` and \`status\` apply together
LIST-17 SHOULD 3 read: an undeclared status (a plain word, such as \`lost\`) returns no animals of another status: a 4xx, or none
LIST-18 MUST 2 read: no id twice on a page
LIST-19 SHOULD 4.1 read: \`limit=100\` returns no fewer animals than the default page
LIST-20 MUST 4.1 read: \`limit=2\`: 200, at most 2 animals
GET-1 MUST 4.3 read: an animal on the first and the last page: 200, a Pet
GET-2 MUST 4.3 read: it has the id that was requested
GET-3 MUST 4.3 read: its name, its category and, where both show one, its status are those on the first and the last page
GET-4 MUST 4.3 read: an id that no listed animal has, drawn at random from the upper half of int64: 404
GET-5 SHOULD 4.3 read: a \`petId\` that is not an integer: 4xx
GET-6 MUST 9 read: the operation is available: the id of a listed animal does not return 404, 405 or 410
GET-7 SHOULD 9 read: from 7 December 2030, 00:00 UTC, it is gone: 404, 405 or 410
GET-8 SHOULD 9 read: a \`Sunset\` header on a response of getPet, where present, is an HTTP-date on 5 December 2030 in some time zone
GET-9 HTTP 9 read: a \`Deprecation\` header, where present, has the form of RFC 9745
GET-10 MUST 4 read: content type \`application/json\`
GET-11 SHOULD 4.3 read: a \`petId\` that only begins with a listed id is not served
CREATE-1 MUST 4.2 create: a valid body: 201
CREATE-2 MUST 4.2 create: the response is a Pet with an \`id\`
CREATE-3 MUST 4.2 create: \`name\` and \`categoryId\` come back as sent
CREATE-4 MUST 3 create: \`available\`, \`pending\` and \`sold\` are each accepted, and none comes back as another
CREATE-5 MUST 3 create: \`status\` may be omitted; what comes back has none, or a PetStatus
CREATE-6 MUST 2 create: no two animals get the same id, and no new one an id already listed
CREATE-7 MUST 4.3 create: getPet serves what was created, under its name, asked once more after a second if at first it does not
CREATE-8 MUST 3 create: it is on the page of its status, when that page is complete, asked once more after two seconds if at first it is not
CREATE-9 MUST 4.2 create: \`{}\`: 400
CREATE-10 MUST 4.2 create: without \`name\`: 400
CREATE-11 MUST 4.2 create: without \`categoryId\`: 400
CREATE-12 MUST 4.2 create: \`name\` not a string: 400
CREATE-13 MUST 4.2 create: \`categoryId\` a string, or \`true\`: 400
CREATE-14 MUST 4.2 create: \`categoryId\` with a fraction: 400
CREATE-15 MUST 4.2 create: an unknown \`status\`: 400
CREATE-16 MUST 4.2 create: malformed JSON, and a valid document with text behind it: 400
CREATE-17 MUST 4.2 create: no body: 400
CREATE-18 MUST 4.2 create: JSON that is no object: an array, \`null\`, a number, a string: 400
CREATE-19 MUST 4.2 create: \`null\` for both required fields, and for each alone: 400
CREATE-20 MUST 4.2 create: \`categoryId\` beyond int64, above and below: 400
CREATE-21 MUST 2 create: an int64 that a double cannot hold (9007199254740993) comes back digit for digit
CREATE-22 MUST 2 create: a name in several scripts, when accepted, comes back as sent
CREATE-23 SHOULD 2 create: the service assigns the id, not the body
CREATE-24 MUST 4.2 create: a rejected creation, also one without a valid key, leaves no animal behind, as far as complete pages show
CREATE-25 MUST 4 create: content type \`application/json\`
CREATE-26 MUST 4.2 create: later responses show a new animal with the \`name\` and the \`categoryId\` that were sent
CREATE-27 SHOULD 4.2 create: \`status\` of \`null\` or of a number: 400
CREATE-28 MUST 2 create: a name with \`&\`, \`<\`, \`"\` and \`'\`, when accepted, comes back as sent, at once and later
RATE-1 MUST 8 read: \`X-RateLimit-Limit\` on every response, errors included
RATE-2 MUST 8 read: \`X-RateLimit-Remaining\` on every response, errors included
RATE-3 MUST 8 read: \`X-RateLimit-Reset\` on every response, errors included
RATE-4 MUST 8 read: all three are whole numbers and not negative
RATE-5 SHOULD 8 read: \`Remaining\` is never more than \`Limit\`
RATE-6 MUST 8 read: \`Reset\` is a Unix time in seconds, not past nor more than 25 hours and 2 minutes ahead
RATE-7 SHOULD 8 read: \`Remaining\` falls with use
RATE-8 MUST 8 read: with \`--plan\`, \`Limit\` on the responses to the key, 401s apart, is one of that plan’s two numbers
RATE-9 MUST 8 exhaust: past the limit: 429
RATE-10 MUST 8 exhaust: a 429 carries \`Retry-After\`, in seconds or as an HTTP-date
RATE-11 MUST 8 exhaust: a 429 carries the three headers
RATE-12 SHOULD 8 exhaust: no 429 while \`Remaining\` of the last response is more than 0
RATE-13 SHOULD 7 exhaust: a second after \`Retry-After\` has passed, the key is accepted again
RATE-14 SHOULD 8 exhaust: \`Remaining\` of a 429 is 0
RATE-15 SHOULD 8 exhaust: \`Retry-After\` is at most 60 s longer than until \`Reset\`
RATE-16 SHOULD 8 exhaust: once \`Reset\` and \`Retry-After\` have passed, one request leaves \`Limit\` − 1, give or take one
`

test('the catalogue has exactly the rules that were decided', () => {
  const held = catalogue.map(
    ({ id, level, section, profile, title }) => `${id} ${level} ${section} ${profile}: ${title}`,
  )
  assert.deepEqual(held, decided.trim().split('\n'))
})

test('every rule has a unique title within its family, and a section of the spec', () => {
  const titles = catalogue.map(({ id, title }) => `${id.split('-')[0]} ${title}`)
  assert.equal(new Set(titles).size, catalogue.length)
  for (const { section } of catalogue) assert.match(section, /^[1-9](\.[1-4])?$/)
})

test('every rule holds on a conforming deployment, or is not applicable', () => {
  const transcript = recorded('all')
  const other = catalogue.filter((rule) => rule.judge(transcript).outcome !== 'holds').map(({ id }) => id)
  assert.deepEqual(other, ['GET-7', 'GET-8', 'GET-9', 'RATE-8'])
})

test('no rule passes on a transcript without exchanges', () => {
  const outcomes = catalogue.map((rule) => rule.judge(recorded('all', {}, { exchanges: [] })).outcome)
  assert.ok(outcomes.every((outcome) => outcome === 'no-evidence' || outcome === 'not-applicable'))
})

test('rules without evidence are not-run when the run ended early', () => {
  const transcript = recorded('all', {}, { exchanges: [], endedEarly: 'a 429' })
  const open = catalogue.filter((rule) => rule.judge(transcript).outcome !== 'not-run').map(({ id }) => id)
  assert.deepEqual(open, ['GET-7', 'RATE-7', 'RATE-8'])
})

test('every finding names exchanges of the transcript, each once', () => {
  const transcript = recorded('all')
  const ids = new Set(transcript.exchanges.map(({ id }) => id))
  for (const rule of catalogue) {
    const { exchanges } = rule.judge(transcript)
    assert.ok(exchanges.every((id) => ids.has(id)))
    assert.equal(new Set(exchanges).size, exchanges.length, rule.id)
  }
})
