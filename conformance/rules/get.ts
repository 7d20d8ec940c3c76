import { isObject, type Json } from '../transcript/json.ts'
import { findSteadyAnimals, servedLists } from '../transcript/pages.ts'
import { findPetFault, findStatusProblem, isSameName, type Pet, show } from '../transcript/pets.ts'
import {
  header,
  isGateway,
  isRead,
  isSuccess,
  parseBody,
  type RecordedResponse,
  readPet,
  responses,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readHttpDate } from '../transcript/waits.ts'
import {
  anyOf,
  broken,
  brokenAt,
  eachOf,
  holds,
  type JudgedResponse,
  judgeTypes,
  noEvidence,
  nothingToJudge,
  onResponse,
} from './judging.ts'
import { judgeAfterRemoval, untilRemoval } from './removal.ts'
import { type Family, type Finding, http, type Judge, must, should } from './rule.ts'

/** The statuses of a removed operation. */
const gone: readonly number[] = [404, 405, 410]

/** Sections 4.3 and 9. */
export const getRules: Family = {
  'GET-1 s4-3-found': must.read(
    'getPet returns 200 and a Pet for the first, a middle and the last animal that the first and the last page show',
    onListed(judgeServed),
  ),
  'GET-2 s4-3-id': must.read(
    'getPet returns the animal with the id that was requested',
    onListedPet(({ id }, listed) =>
      id === listed.id
        ? holds(`the animal has the id ${id}`)
        : brokenAt({ path: ['id'] }, `the id ${listed.id}`, `the animal has the id ${id}`),
    ),
  ),
  'GET-3 s4-3-as-listed': must.read(
    'getPet returns the name, the category and, where both show one, the status that the first and the last page show',
    onListedPet(judgeAlike),
  ),
  'GET-4 s4-3-not-found': must.read(
    'getPet returns 404 for an id that no listed animal has: one drawn at random from the upper half of int64, and a listed one plus 2^32',
    untilRemoval(anyOf(onResponse('get-unknown', judgeUnknownId), onResponse('get-wrapped', judgeWrappedId))),
  ),
  'GET-5 s4-3-invalid-id': should.read(
    'getPet returns a 4xx for a `petId` that is not an integer',
    onResponse(['get-word', 'get-partial-id'], ({ status }, transcript) => {
      if (status < 400 || status >= 500) return broken('a 4xx', `getPet returned ${status}`)
      return servedLists(transcript).length > 0
        ? holds(`the id was rejected with ${status}`)
        : noEvidence('no list was returned, so the rejection is no evidence')
    }),
  ),
  'GET-6 s9-removal': must.read(
    'getPet is available: the id of a listed animal does not return 404, 405 or 410',
    onListed(({ status, response }) => {
      if (readPet(response) !== undefined) return holds('getPet is available')
      return gone.includes(status)
        ? broken(
            'a response of the operation, which is available until 5 December 2030',
            `getPet returned ${status}`,
          )
        : noEvidence(`the ${status} does not show whether the operation is available`)
    }),
  ),
  'GET-7 s9-removed': should.read(
    'getPet is gone from 7 December 2030, 00:00 UTC: it returns 404, 405 or 410',
    judgeAfterRemoval(
      onResponse('get-listed', ({ status }) =>
        gone.includes(status)
          ? holds(`getPet returned ${status}`)
          : broken('404, 405 or 410', `getPet returned ${status}`),
      ),
    ),
  ),
  'GET-8 s9-sunset': should.read(
    'a `Sunset` header on a response of getPet, if present, is an HTTP-date on 5 December 2030 in some time zone, with its weekday',
    headerIs('sunset', 'an HTTP-date on 5 December 2030 in some time zone, with its weekday', isOnTheDay),
  ),
  'GET-9 s9-deprecation': http.read(
    'a `Deprecation` header on a response of getPet, if present, has the form of RFC 9745',
    headerIs('deprecation', 'a date such as @1795132800; the header may be left out', isDeprecation),
  ),
  'GET-10 s4-json': must.read('a success of getPet has the content type `application/json`', (transcript) => {
    const judge = judgeTypes(servedPets, 'getPet returned no animal')
    return (servedPets(transcript).length > 0 ? judge : untilRemoval(judge))(transcript)
  }),
  'GET-11 s4-3-whole-id': should.read(
    'a `petId` that only begins with a listed id is not served',
    untilRemoval(
      onResponse('get-partial-id', ({ id, status }, transcript) => {
        if (isSuccess(status)) return broken('a rejection', `getPet returned ${status}`)
        const whole = responses(transcript).find((recorded) => recorded.id === 'get-listed')
        return whole !== undefined && isSuccess(whole.response.status)
          ? holds(`getPet returned ${status}, and the whole id was served`, id, whole.id)
          : noEvidence('the whole id was not served either')
      }),
    ),
  ),
}

/** Judges the responses for three listed animals, each if the first and the last page show it alike. */
function onListed(judge: (judged: JudgedResponse, listed: Pet) => Finding): Judge {
  const judgeOne = (judged: JudgedResponse, transcript: Transcript): Finding => {
    const asked = askedId(judged)
    const listed = asked === undefined ? undefined : findSteadyAnimals(transcript, judged.exchange).get(asked)
    return listed === undefined
      ? nothingToJudge(transcript, `the first and the last page do not show animal ${asked} alike`)
      : judge(judged, listed)
  }
  return untilRemoval(anyOf(...['get-listed', 'get-first', 'get-last'].map((id) => onResponse(id, judgeOne))))
}

/** Returns the id that a getPet requests; `undefined` for another target, which a transcript from elsewhere may have. */
function askedId({ exchange }: JudgedResponse): bigint | undefined {
  const text = exchange.request.target.slice('/pets/'.length)
  return /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined
}

/** Judges the Pet in the response for a listed animal. GET-1 judges a response without one. */
function onListedPet(judge: (pet: Pet, listed: Pet) => Finding): Judge {
  return onListed(({ response }, listed) => {
    const pet = readPet(response)
    return pet === undefined ? noEvidence('no Pet was returned: see GET-1') : judge(pet, listed)
  })
}

function judgeServed(judged: JudgedResponse): Finding {
  if (judged.status !== 200) return broken('status 200', `getPet returned ${judged.status}`)
  if (!isRead(judged)) return noEvidence('the animal cannot be read')
  const body = parseBody(judged.response)
  if (body === undefined) return brokenAt({ path: [] }, 'a Pet', 'the body is not JSON')
  const { text = findStatusProblem(body), member = 'status' } = findPetFault(body) ?? {}
  return text === undefined
    ? holds('the response is a Pet')
    : brokenAt({ path: isObject(body) ? [member] : [] }, 'a Pet', `the body ${text}`)
}

function judgeAlike(pet: Pet, listed: Pet): Finding {
  const both = pet.status !== undefined && listed.status !== undefined
  if (!isSameName(pet.name, listed.name)) return differs('name', listed.name, pet.name)
  if (pet.categoryId !== listed.categoryId) return differs('categoryId', listed.categoryId, pet.categoryId)
  return both && pet.status !== listed.status
    ? differs('status', listed.status, pet.status)
    : holds(`the name${both ? ', category and status' : ' and category'} are those listed`)
}

function differs(member: keyof Pet, listed: Json | undefined, got: Json | undefined): Finding {
  const named = (value: Json | undefined): string => `the ${member} ${show(value)}`
  return brokenAt({ path: [member] }, named(listed), `the animal has ${named(got)}`)
}

/** If getPet never succeeds, a 404 proves nothing: the route may be missing. */
function judgeUnknownId({ id, status }: JudgedResponse, transcript: Transcript): Finding {
  if (status !== 404) return broken('status 404', `getPet returned ${status}`)
  const served = getPetResponses(transcript).find(({ response }) => isSuccess(response.status))
  return served === undefined
    ? nothingToJudge(transcript, 'getPet returned no animal, so its 404 is no evidence')
    : holds('getPet returned 404', id, served.id)
}

/** An unlisted animal may have the id. A server that truncates ids returns a listed animal instead. */
function judgeWrappedId(judged: JudgedResponse, transcript: Transcript): Finding {
  const pet = readPet(judged.response)
  return pet !== undefined && pet.id === askedId(judged)
    ? noEvidence(`animal ${pet.id} exists`)
    : judgeUnknownId(judged, transcript)
}

function getPetResponses(transcript: Transcript): readonly RecordedResponse[] {
  return responses(transcript).filter(
    ({ exchange: { request }, response: { status } }) =>
      request.method === 'GET' && request.target.startsWith('/pets/') && !isGateway(status) && status !== 429,
  )
}

function servedPets(transcript: Transcript): readonly RecordedResponse[] {
  return getPetResponses(transcript).filter(
    ({ exchange, response }) => exchange.credential === 'key' && isSuccess(response.status),
  )
}

function headerIs(name: string, expected: string, isRight: (value: string) => boolean): Judge {
  const present = (transcript: Transcript): readonly RecordedResponse[] =>
    getPetResponses(transcript).filter(({ response }) => header(response, name) !== undefined)
  return eachOf(present, {
    expected: `${name}: ${expected}`,
    problem: ({ response }) => {
      const value = header(response, name) ?? ''
      return !isRight(value.trim()) && `has ${name}: ${show(value)}`
    },
    at: () => ({ header: name }),
    ifNone: `no response of getPet carries ${name}`,
    outOf: getPetResponses,
  })
}

/**
 * Returns whether a value is on 5 December 2030 in any time zone, from UTC+14 to UTC−12, and names the right weekday.
 */
function isOnTheDay(value: string): boolean {
  const time = readHttpDate(value)
  if (time === undefined || !new Date(time).toUTCString().startsWith(value.slice(0, 3))) return false
  return time >= Date.UTC(2030, 11, 4, 10) && time <= Date.UTC(2030, 11, 6, 12)
}

/** Returns whether a value is a Date of structured fields (RFC 9651, section 3.3.7), with or without parameters. */
function isDeprecation(value: string): boolean {
  return /^@-?\d{1,15}(?:; *[a-z*][a-z0-9_.*-]*(?:=(?:"[ -!#-[\]-~]*"|[\w@:?.*/+-]+))?)*$/.test(value)
}
