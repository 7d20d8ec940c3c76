import { isObject, type Json } from '../transcript/json.ts'
import { findUnchangedPets, listReadablePages } from '../transcript/pages.ts'
import { findPetProblem, findStatusProblem, formatValue, isSameName, type Pet } from '../transcript/pets.ts'
import {
  describeInvalidJson,
  findResponse,
  getHeader,
  hasReadableBody,
  isGatewayStatus,
  isSuccess,
  listResponses,
  parseBody,
  type RecordedResponse,
  readPet,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { readHttpDate } from '../transcript/waits.ts'
import {
  broken,
  brokenAt,
  explainMissingEvidence,
  holds,
  type JudgedResponse,
  judgeAny,
  judgeContentTypes,
  judgeEach,
  judgeResponse,
  noEvidence,
} from './judging.ts'
import { judgeAfterRemoval, judgeUntilRemoval } from './removal.ts'
import { type Finding, http, type Judge, must, type RuleFamily, should } from './rule.ts'

/** Statuses that show that an operation no longer exists. */
const goneStatuses: readonly number[] = [404, 405, 410]

/** Rules about getPet (sections 4.3 and 9). */
export const getRules: RuleFamily = {
  'GET-1 s4-3-found': must.read(
    'getPet returns 200 and a Pet for an animal listed on both the first and the last page',
    judgeListedResponse(judgeServed),
  ),
  'GET-2 s4-3-id': must.read(
    'getPet returns the animal with the requested id',
    judgeListedPet(({ id }, listed) =>
      id === listed.id
        ? holds(`the animal has the id ${id}`)
        : brokenAt({ path: ['id'] }, `the id ${listed.id}`, `the animal has the id ${id}`),
    ),
  ),
  'GET-3 s4-3-as-listed': must.read(
    'getPet returns the same name, category and, if both show one, status as the first and the last page',
    judgeListedPet(judgeAsListed),
  ),
  'GET-4 s4-3-not-found': must.read(
    'getPet returns 404 for an unlisted id: a random one from the upper half of int64, and a listed one plus 2^32',
    judgeUntilRemoval(
      judgeAny(judgeResponse('get-unknown', judgeUnknownId), judgeResponse('get-wrapped', judgeWrappedId)),
    ),
  ),
  'GET-5 s4-3-invalid-id': should.read(
    'getPet returns a 4xx for a `petId` that is not an integer',
    judgeResponse(['get-word', 'get-partial-id'], ({ status }, transcript) => {
      if (status < 400 || status >= 500) return broken('a 4xx', `getPet returned ${status}`)
      return listReadablePages(transcript).length > 0
        ? holds(`the id was rejected with ${status}`)
        : noEvidence('no listPets request returned a list, so the rejection proves nothing')
    }),
  ),
  'GET-6 s9-removal': must.read(
    'getPet is available: a listed id does not return 404, 405 or 410',
    judgeListedResponse(({ status, response }) => {
      if (readPet(response) !== undefined) return holds('getPet is available')
      if (!goneStatuses.includes(status))
        return noEvidence(`the ${status} does not show whether getPet is available`)
      const expected = 'a status other than 404, 405 and 410, as getPet is available until 5 December 2030'
      return broken(expected, `getPet returned ${status}`)
    }),
  ),
  'GET-7 s9-removed': should.read(
    'getPet returns 404, 405 or 410 from 7 December 2030, 00:00 UTC',
    judgeAfterRemoval(
      judgeResponse('get-listed', ({ status }) =>
        goneStatuses.includes(status)
          ? holds(`getPet returned ${status}`)
          : broken('404, 405 or 410', `getPet returned ${status}`),
      ),
    ),
  ),
  'GET-8 s9-sunset': should.read(
    'a `Sunset` header from getPet, if present, is an HTTP-date on 5 December 2030 in some time zone, with the correct weekday',
    judgeHeader(
      'sunset',
      'an HTTP-date on 5 December 2030 in some time zone, with the correct weekday',
      isOnRemovalDay,
    ),
  ),
  'GET-9 s9-deprecation': http.read(
    'a `Deprecation` header from getPet, if present, is a date in RFC 9745 format',
    judgeHeader('deprecation', 'a date such as @1795132800; the header is optional', isDeprecationDate),
  ),
  'GET-10 s4-json': must.read(
    'a successful getPet response has the content type `application/json`',
    (transcript) => {
      const judge = judgeContentTypes(listServedPets, 'getPet returned no animal')
      return (listServedPets(transcript).length > 0 ? judge : judgeUntilRemoval(judge))(transcript)
    },
  ),
  'GET-11 s4-3-whole-id': should.read(
    'a `petId` that only begins with a listed id is not served',
    judgeUntilRemoval(
      judgeResponse('get-partial-id', ({ id, status }, transcript) => {
        if (isSuccess(status)) return broken('a rejection', `getPet returned ${status}`)
        const wholeId = findResponse(transcript, 'get-listed')
        return wholeId !== undefined && isSuccess(wholeId.response.status)
          ? holds(`getPet returned ${status} for the longer id, and served the listed id`, id, wholeId.id)
          : noEvidence('the full id, without the added letters, was not served either')
      }),
    ),
  ),
}

/**
 * Creates a judge for getPet responses. An animal is judged only if the first and the last page list it unchanged, as
 * other clients may edit it during the run.
 */
function judgeListedResponse(judge: (judged: JudgedResponse, listed: Pet) => Finding): Judge {
  const judgeOne = (judged: JudgedResponse, transcript: Transcript): Finding => {
    const id = readRequestedId(judged)
    const listed = id === undefined ? undefined : findUnchangedPets(transcript, judged.exchange).get(id)
    return listed === undefined
      ? explainMissingEvidence(transcript, `animal ${id} is not the same on the first and the last page`)
      : judge(judged, listed)
  }
  return judgeUntilRemoval(
    judgeAny(...['get-listed', 'get-first', 'get-last'].map((id) => judgeResponse(id, judgeOne))),
  )
}

function readRequestedId({ exchange }: JudgedResponse): bigint | undefined {
  const requestedText = exchange.request.target.slice('/pets/'.length)
  return /^-?\d{1,19}$/.test(requestedText) ? BigInt(requestedText) : undefined
}

/** Creates a judge for the pets that getPet returns. GET-1 judges responses without a pet. */
function judgeListedPet(judge: (pet: Pet, listed: Pet) => Finding): Judge {
  return judgeListedResponse(({ response }, listed) => {
    const pet = readPet(response)
    return pet === undefined ? noEvidence('no Pet was returned: see GET-1') : judge(pet, listed)
  })
}

function judgeServed(judged: JudgedResponse): Finding {
  if (judged.status !== 200) return broken('status 200', `getPet returned ${judged.status}`)
  if (!hasReadableBody(judged)) return noEvidence('the suite could not read the body')
  const body = parseBody(judged.response)
  if (body === undefined)
    return brokenAt({ path: [] }, 'a Pet', `the body ${describeInvalidJson(judged.response)}`)
  const { text = findStatusProblem(body), member = 'status' } = findPetProblem(body) ?? {}
  return text === undefined
    ? holds('the response is a Pet')
    : brokenAt({ path: isObject(body) ? [member] : [] }, 'a Pet', `the body ${text}`)
}

function judgeAsListed(pet: Pet, listed: Pet): Finding {
  const haveStatuses = pet.status !== undefined && listed.status !== undefined
  if (!isSameName(pet.name, listed.name)) return reportDifference('name', listed.name, pet.name)
  if (pet.categoryId !== listed.categoryId)
    return reportDifference('categoryId', listed.categoryId, pet.categoryId)
  return haveStatuses && pet.status !== listed.status
    ? reportDifference('status', listed.status, pet.status)
    : holds(`the name${haveStatuses ? ', category and status' : ' and category'} match the list`)
}

function reportDifference(member: keyof Pet, listed: Json | undefined, got: Json | undefined): Finding {
  const describeMember = (value: Json | undefined): string => `the ${member} ${formatValue(value)}`
  return brokenAt({ path: [member] }, describeMember(listed), `the animal has ${describeMember(got)}`)
}

/** A 404 is evidence only if getPet serves another animal. */
function judgeUnknownId({ id, status }: JudgedResponse, transcript: Transcript): Finding {
  if (status !== 404) return broken('status 404', `getPet returned ${status}`)
  const servedResponse = listGetPetResponses(transcript).find(({ response }) => isSuccess(response.status))
  return servedResponse === undefined
    ? explainMissingEvidence(transcript, 'getPet returned no animal, so the 404 proves nothing')
    : holds('getPet returned 404', id, servedResponse.id)
}

/** The requested ID may belong to an animal that no page lists. */
function judgeWrappedId(judged: JudgedResponse, transcript: Transcript): Finding {
  const pet = readPet(judged.response)
  return pet !== undefined && pet.id === readRequestedId(judged)
    ? noEvidence(`animal ${pet.id} exists`)
    : judgeUnknownId(judged, transcript)
}

function listGetPetResponses(transcript: Transcript): readonly RecordedResponse[] {
  return listResponses(transcript).filter(
    ({ exchange: { request }, response: { status } }) =>
      request.method === 'GET' &&
      request.target.startsWith('/pets/') &&
      !isGatewayStatus(status) &&
      status !== 429,
  )
}

function listServedPets(transcript: Transcript): readonly RecordedResponse[] {
  return listGetPetResponses(transcript).filter(
    ({ exchange, response }) => exchange.credential === 'key' && isSuccess(response.status),
  )
}

function judgeHeader(name: string, expected: string, isRight: (value: string) => boolean): Judge {
  const listValues = (transcript: Transcript): readonly { id: string; value: string }[] =>
    listGetPetResponses(transcript).flatMap(({ id, response }) => {
      const value = getHeader(response, name)
      return value === undefined ? [] : { id, value }
    })
  return judgeEach(listValues, {
    expected: `${name}: ${expected}`,
    findProblem: ({ value }) => !isRight(value.trim()) && `has ${name}: ${formatValue(value)}`,
    at: () => ({ header: name }),
    reasonIfNone: `no getPet response has ${name}`,
    candidates: listGetPetResponses,
  })
}

/**
 * Checks that an HTTP-date falls on 5 December 2030 in some time zone, from UTC+14 to UTC-12, with the correct weekday.
 */
function isOnRemovalDay(value: string): boolean {
  const time = readHttpDate(value)
  if (time === undefined || !new Date(time).toUTCString().startsWith(value.slice(0, 3))) return false
  return time >= Date.UTC(2030, 11, 4, 10) && time <= Date.UTC(2030, 11, 6, 12)
}

/** Checks for a Date item with optional parameters (RFC 9651, section 3.3.7), as RFC 9745 requires. */
function isDeprecationDate(value: string): boolean {
  return /^@-?\d{1,15}(?:; *[a-z*][a-z0-9_.*-]*(?:=(?:"[ -!#-[\]-~]*"|[\w@:?.*/+-]+))?)*$/.test(value)
}
