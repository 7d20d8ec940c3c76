import { readHttpDate } from '../transcript/http-date.ts'
import { servedLists, steadyAround } from '../transcript/pages.ts'
import { type Pet, petOf, petProblem, show, statusProblem } from '../transcript/pets.ts'
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
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence, notApplicable } from './findings.ts'
import { judgeEach, judgeTypes, nothing } from './judging.ts'
import { judgeResponse } from './one-response.ts'
import { afterRemoval, untilRemoval } from './removal.ts'
import type { Finding, Rule } from './rule.ts'

const read = rulesOf('read')
/** How a removed operation is answered. */
const gone: readonly number[] = [404, 405, 410]

/** Sections 4.3 and 9. */
export const getRules: readonly Rule[] = [
  read.must(
    'GET-1',
    '4.3',
    'an animal that was listed, first and last, is served: 200, a Pet',
    (transcript) => untilRemoval(transcript, () => onListed(transcript, judgeServed)),
  ),
  read.must('GET-2', '4.3', 'it has the id asked for', (transcript) =>
    untilRemoval(transcript, () =>
      onListed(transcript, (recorded, listed) =>
        onPet(recorded, ({ id }) =>
          id === listed.id
            ? holds(`it has the id ${id}`, recorded.id)
            : broken(`the id ${listed.id}`, `it has the id ${id}`, recorded.id),
        ),
      ),
    ),
  ),
  read.must('GET-3', '4.3', 'its name and category equal those listed, first and last', (transcript) =>
    untilRemoval(transcript, () =>
      onListed(transcript, (recorded, listed) => onPet(recorded, (pet) => judgeAlike(recorded, pet, listed))),
    ),
  ),
  read.must(
    'GET-4',
    '4.3',
    'an id that no listed animal has, drawn at random from the upper half of int64: 404',
    (transcript) => untilRemoval(transcript, () => judgeUnknownId(transcript)),
  ),
  read.should('GET-5', '4.3', 'a `petId` that is no integer: 4xx, neither served nor a 5xx', (transcript) =>
    judgeResponse(transcript, 'get-word', ({ id, response: { status } }) =>
      status < 400 || status >= 500
        ? broken('a 4xx', `returned ${status}`, id)
        : servedLists(transcript).length > 0
          ? holds(`it was rejected with ${status}`, id)
          : noEvidence('nothing at all was served, so the rejection proves nothing', id),
    ),
  ),
  read.must(
    'GET-6',
    '9',
    'the operation is still there: a listed animal’s id does not return 404, 405 or 410',
    (transcript) =>
      untilRemoval(transcript, () =>
        onListed(transcript, ({ id, response }) => {
          const { status } = response
          if (isSuccess(status) && petOf(jsonOf(response)) !== undefined) return holds('it is served', id)
          return gone.includes(status)
            ? broken('the operation until 5 December 2030', `returned ${status}`, id)
            : noEvidence(`the ${status} does not tell whether the operation is there`, id)
        }),
      ),
  ),
  read.should('GET-7', '9', 'from 7 December 2030, 00:00 UTC, it is not: 404, 405 or 410', (transcript) =>
    afterRemoval(transcript, () =>
      judgeResponse(transcript, 'get-listed', ({ id, response: { status } }) =>
        gone.includes(status)
          ? holds(`returned ${status}`, id)
          : broken('404, 405 or 410', `returned ${status}`, id),
      ),
    ),
  ),
  read.should(
    'GET-8',
    '9',
    'a `Sunset` header on a response of getPet, where present, is an HTTP-date on 5 December 2030 in some time zone',
    (transcript) =>
      judgeHeader(transcript, 'sunset', 'an HTTP-date on 5 December 2030 in some time zone', isOnTheDay),
  ),
  read.http('GET-9', '9', 'a `Deprecation` header, where present, has RFC 9745’s form', (transcript) =>
    judgeHeader(transcript, 'deprecation', 'a date such as @1795132800', isDeprecation),
  ),
  read.must('GET-10', '4', 'content type `application/json`', (transcript) => {
    const served = getPetResponses(transcript).filter(
      ({ exchange, response }) => exchange.credential === 'key' && isSuccess(response.status),
    )
    const judge = (): Finding => judgeTypes(transcript, served, 'no animal was served')
    return served.length > 0 ? judge() : untilRemoval(transcript, judge)
  }),
]

/** Judges the response to a listed animal's id, where it was there all along. */
function onListed(
  transcript: Transcript,
  judge: (recorded: RecordedResponse, listed: Pet) => Finding,
): Finding {
  return judgeResponse(transcript, 'get-listed', (recorded) => {
    const asked = recorded.exchange.request.target.slice('/pets/'.length)
    // a transcript from elsewhere may have asked for anything
    const listed = /^-?\d{1,19}$/.test(asked)
      ? steadyAround(transcript, recorded.exchange).get(BigInt(asked))
      : undefined
    return listed === undefined
      ? nothing(transcript, `the first and the last page do not show animal ${asked} alike`, recorded.id)
      : judge(recorded, listed)
  })
}

/** Judges the Pet that was served; what is none is GET-1's to judge. */
function onPet({ id, response }: RecordedResponse, judge: (pet: Pet) => Finding): Finding {
  const pet = isSuccess(response.status) ? petOf(jsonOf(response)) : undefined
  return pet === undefined ? noEvidence('no Pet was served: see GET-1', id) : judge(pet)
}

function judgeServed({ id, response }: RecordedResponse): Finding {
  if (response.status !== 200) return broken('status 200', `returned ${response.status}`, id)
  if (unreadProblem(response) !== undefined) return noEvidence('the animal cannot be read', id)
  const body = jsonOf(response)
  if (body === undefined) return broken('a Pet', 'the body is no JSON', id)
  const fault = petProblem(body) ?? statusProblem(body)
  return fault === undefined ? holds('it is served', id) : broken('a Pet', `the body ${fault}`, id)
}

function judgeAlike({ id }: RecordedResponse, pet: Pet, listed: Pet): Finding {
  if (pet.name !== listed.name)
    return broken(`the name ${show(listed.name)}`, `it has the name ${show(pet.name)}`, id)
  return pet.categoryId === listed.categoryId
    ? holds('its name and category are those listed', id)
    : broken(`the categoryId ${listed.categoryId}`, `it has the categoryId ${pet.categoryId}`, id)
}

/** Where getPet serves nobody, a 404 may be the route's and proves nothing. */
function judgeUnknownId(transcript: Transcript): Finding {
  return judgeResponse(transcript, 'get-unknown', ({ id, response: { status } }) => {
    if (status !== 404) return broken('status 404', `returned ${status}`, id)
    const served = getPetResponses(transcript).find(({ response }) => isSuccess(response.status))
    return served === undefined
      ? nothing(transcript, 'getPet served nobody, so its 404 proves nothing', id)
      : holds('returned 404', id, served.id)
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
    fault: ({ response }) => {
      const value = header(response, name) ?? ''
      return isRight(value.trim()) ? undefined : `has ${show(value)}`
    },
    ifNone: 'getPet returned nothing',
  })
}

/** From the day's start furthest east to its end furthest west. */
function isOnTheDay(value: string): boolean {
  const time = readHttpDate(value)
  return time !== undefined && time >= Date.UTC(2030, 11, 4, 10) && time <= Date.UTC(2030, 11, 6, 12)
}

/** A Date of structured fields (RFC 9651, section 3.3.7), with parameters or without. */
function isDeprecation(value: string): boolean {
  return /^@-?\d{1,15}(?:; *[a-z*][a-z0-9_.*-]*(?:=(?:"[ -!#-[\]-~]*"|[\w@:?.*/+-]+))?)*$/.test(value)
}
