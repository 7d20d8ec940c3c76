import { isObject, type Json } from '../transcript/json.ts'
import { servedLists, steadyPet } from '../transcript/pages.ts'
import { isSameName, type Pet, petFault, petOf, show, statusProblem } from '../transcript/pets.ts'
import {
  header,
  isGateway,
  isSuccess,
  jsonOf,
  type RecordedResponse,
  responses,
  unreadProblem,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readHttpDate } from '../transcript/waits.ts'
import { rulesOf } from './define.ts'
import { broken, brokenAt, holds, noEvidence, notApplicable } from './findings.ts'
import { judgeEach, judgeTypes, nothingToJudge } from './judging.ts'
import { firstSent, judgeResponse } from './one-response.ts'
import { afterRemoval, untilRemoval } from './removal.ts'
import type { Finding, Rule } from './rule.ts'

const read = rulesOf('read')
/** The statuses of a removed operation. */
const gone: readonly number[] = [404, 405, 410]

/** Sections 4.3 and 9. */
export const getRules: readonly Rule[] = [
  read.must(
    'GET-1',
    's4-3-found',
    'getPet returns 200 and a Pet for an animal on the first and the last page',
    (transcript) => untilRemoval(transcript, () => onListed(transcript, judgeServed)),
  ),
  read.must('GET-2', 's4-3-id', 'getPet returns the animal with the id that was requested', (transcript) =>
    untilRemoval(transcript, () =>
      onListed(transcript, (recorded, listed) =>
        onPet(recorded, ({ id }) =>
          id === listed.id
            ? holds(`it has the id ${id}`, recorded.id)
            : brokenAt({ path: ['id'] }, `the id ${listed.id}`, `it has the id ${id}`, recorded.id),
        ),
      ),
    ),
  ),
  read.must(
    'GET-3',
    's4-3-as-listed',
    'getPet returns the name, the category and, where both show one, the status that the first and the last page show',
    (transcript) =>
      untilRemoval(transcript, () =>
        onListed(transcript, (recorded, listed) =>
          onPet(recorded, (pet) => judgeAlike(recorded, pet, listed)),
        ),
      ),
  ),
  read.must(
    'GET-4',
    's4-3-not-found',
    'getPet returns 404 for an id that no listed animal has, drawn at random from the upper half of int64',
    (transcript) => untilRemoval(transcript, () => judgeUnknownId(transcript)),
  ),
  read.should(
    'GET-5',
    's4-3-invalid-id',
    'getPet returns a 4xx for a `petId` that is not an integer',
    (transcript) =>
      judgeResponse(
        transcript,
        firstSent(transcript, 'get-word', 'get-partial-id'),
        ({ id, response: { status } }) =>
          status < 400 || status >= 500
            ? broken('a 4xx', `it returned ${status}`, id)
            : servedLists(transcript).length > 0
              ? holds(`it was rejected with ${status}`, id)
              : noEvidence('no list was returned, so the rejection is no evidence', id),
      ),
  ),
  read.must(
    'GET-6',
    's9-removal',
    'getPet is available: the id of a listed animal does not return 404, 405 or 410',
    (transcript) =>
      untilRemoval(transcript, () =>
        onListed(transcript, ({ id, response }) => {
          const { status } = response
          if (isSuccess(status) && petOf(jsonOf(response)) !== undefined) return holds('it is available', id)
          return gone.includes(status)
            ? broken('the operation to be available until 5 December 2030', `it returned ${status}`, id)
            : noEvidence(`the ${status} does not show whether the operation is available`, id)
        }),
      ),
  ),
  read.should(
    'GET-7',
    's9-removed',
    'getPet is gone from 7 December 2030, 00:00 UTC: it returns 404, 405 or 410',
    (transcript) =>
      afterRemoval(transcript, () =>
        judgeResponse(transcript, 'get-listed', ({ id, response: { status } }) =>
          gone.includes(status)
            ? holds(`it returned ${status}`, id)
            : broken('404, 405 or 410', `it returned ${status}`, id),
        ),
      ),
  ),
  read.should(
    'GET-8',
    's9-sunset',
    'a `Sunset` header on a response of getPet, where present, is an HTTP-date on 5 December 2030 in some time zone',
    (transcript) =>
      judgeHeader(transcript, 'sunset', 'an HTTP-date on 5 December 2030 in some time zone', isOnTheDay),
  ),
  read.http(
    'GET-9',
    's9-deprecation',
    'a `Deprecation` header on a response of getPet, where present, has the form of RFC 9745',
    (transcript) => judgeHeader(transcript, 'deprecation', 'a date such as @1795132800', isDeprecation),
  ),
  read.must(
    'GET-10',
    's4-json',
    'a success of getPet has the content type `application/json`',
    (transcript) => {
      const served = getPetResponses(transcript).filter(
        ({ exchange, response }) => exchange.credential === 'key' && isSuccess(response.status),
      )
      const judge = (): Finding => judgeTypes(transcript, served, 'getPet returned no animal')
      return served.length > 0 ? judge() : untilRemoval(transcript, judge)
    },
  ),
  read.should(
    'GET-11',
    's4-3-whole-id',
    'a `petId` that only begins with a listed id is not served',
    (transcript) =>
      untilRemoval(transcript, () =>
        judgeResponse(transcript, 'get-partial-id', ({ id, response: { status } }) => {
          if (isSuccess(status)) return broken('a rejection', `it returned ${status}`, id)
          const whole = transcript.exchanges.find((exchange) => exchange.id === 'get-listed')
          return whole?.outcome.kind === 'response' && isSuccess(whole.outcome.response.status)
            ? holds(`it returned ${status}, and the whole id was served`, id, whole.id)
            : noEvidence('the whole id was not served either', id)
        }),
      ),
  ),
]

/** Judges the response for a listed animal, if the first and the last page show it alike. */
function onListed(
  transcript: Transcript,
  judge: (recorded: RecordedResponse, listed: Pet) => Finding,
): Finding {
  return judgeResponse(transcript, 'get-listed', (recorded) => {
    const asked = recorded.exchange.request.target.slice('/pets/'.length)
    // a transcript from elsewhere may have any target
    const listed = /^-?\d{1,19}$/.test(asked)
      ? steadyPet(transcript, recorded.exchange, BigInt(asked))
      : undefined
    return listed === undefined
      ? nothingToJudge(
          transcript,
          `the first and the last page do not show animal ${asked} alike`,
          recorded.id,
        )
      : judge(recorded, listed)
  })
}

/** Judges the Pet in a response. GET-1 judges a response without one. */
function onPet({ id, response }: RecordedResponse, judge: (pet: Pet) => Finding): Finding {
  const pet = isSuccess(response.status) ? petOf(jsonOf(response)) : undefined
  return pet === undefined ? noEvidence('no Pet was returned: see GET-1', id) : judge(pet)
}

function judgeServed({ id, response }: RecordedResponse): Finding {
  if (response.status !== 200) return broken('status 200', `it returned ${response.status}`, id)
  if (unreadProblem(response) !== undefined) return noEvidence('the animal cannot be read', id)
  const body = jsonOf(response)
  if (body === undefined) return brokenAt({ path: [] }, 'a Pet', 'the body is no JSON', id)
  const { text = statusProblem(body), member = 'status' } = petFault(body) ?? {}
  return text === undefined
    ? holds('it is a Pet', id)
    : brokenAt({ path: isObject(body) ? [member] : [] }, 'a Pet', `the body ${text}`, id)
}

function judgeAlike({ id }: RecordedResponse, pet: Pet, listed: Pet): Finding {
  const both = pet.status !== undefined && listed.status !== undefined
  if (!isSameName(pet.name, listed.name)) return differs('name', listed.name, pet.name, id)
  if (pet.categoryId !== listed.categoryId)
    return differs('categoryId', listed.categoryId, pet.categoryId, id)
  return both && pet.status !== listed.status
    ? differs('status', listed.status, pet.status, id)
    : holds(`its name${both ? ', category and status' : ' and category'} are those listed`, id)
}

function differs(member: keyof Pet, listed: Json | undefined, got: Json | undefined, id: string): Finding {
  const named = (value: Json | undefined): string => `the ${member} ${show(value)}`
  return brokenAt({ path: [member] }, named(listed), `it has ${named(got)}`, id)
}

/** If getPet never succeeds, a 404 is no evidence: the route may be missing. */
function judgeUnknownId(transcript: Transcript): Finding {
  return judgeResponse(transcript, 'get-unknown', ({ id, response: { status } }) => {
    if (status !== 404) return broken('status 404', `it returned ${status}`, id)
    const served = getPetResponses(transcript).find(({ response }) => isSuccess(response.status))
    return served === undefined
      ? nothingToJudge(transcript, 'getPet returned no animal, so its 404 is no evidence', id)
      : holds('it returned 404', id, served.id)
  })
}

function getPetResponses(transcript: Transcript): readonly RecordedResponse[] {
  return responses(transcript).filter(
    ({ exchange: { request }, response: { status } }) =>
      request.method === 'GET' && request.target.startsWith('/pets/') && !isGateway(status) && status !== 429,
  )
}

function judgeHeader(
  transcript: Transcript,
  name: string,
  expected: string,
  isRight: (value: string) => boolean,
): Finding {
  const all = getPetResponses(transcript)
  const present = all.filter(({ response }) => header(response, name) !== undefined)
  if (all.length > 0 && present.length === 0) return notApplicable(`no response of getPet carries ${name}`)
  return judgeEach(transcript, present, {
    expected: `${expected} as ${name}`,
    problem: ({ response }) => {
      const value = header(response, name) ?? ''
      return isRight(value.trim()) ? undefined : { text: `has ${show(value)}`, at: { header: name } }
    },
    ifNone: 'no response of getPet came',
  })
}

/** Whether a time is on 5 December 2030 in any time zone, from UTC+14 to UTC−12. */
function isOnTheDay(value: string): boolean {
  const time = readHttpDate(value)
  return time !== undefined && time >= Date.UTC(2030, 11, 4, 10) && time <= Date.UTC(2030, 11, 6, 12)
}

/** Whether a value is a Date of structured fields (RFC 9651, section 3.3.7), with or without parameters. */
function isDeprecation(value: string): boolean {
  return /^@-?\d{1,15}(?:; *[a-z*][a-z0-9_.*-]*(?:=(?:"[ -!#-[\]-~]*"|[\w@:?.*/+-]+))?)*$/.test(value)
}
