import {
  type Creation,
  findLater,
  findOnPages,
  isAsSent,
  isPost,
  isRepetition,
  type NewPetOnPage,
  readSentMember,
  readSentName,
  validCreations,
} from '../../transcript/creations.ts'
import { isComplete, namesOn, type PetInResponse, pages, showsRemovals } from '../../transcript/pages.ts'
import { isSameName, type Pet, show } from '../../transcript/pets.ts'
import {
  findPlace,
  listResponsesTo,
  type RecordedResponse,
  readPet,
  responses,
} from '../../transcript/responses.ts'
import { formatRequestName, type Transcript } from '../../transcript/transcript.ts'
import { broken, holds, type JudgedResponse, noEvidence, nothingToJudge, onResponse } from '../judging.ts'
import { isBeforeRemoval, untilRemoval } from '../removal.ts'
import { type Family, type Finding, must } from '../rule.ts'

/** Rules on later responses, after accepted and rejected creations. */
export const afterwardsRules: Family = {
  'CREATE-7 s4-3-created': must.create(
    'getPet returns a new animal under its name, asked once more after a second if at first it does not',
    untilRemoval((transcript) => {
      const isAskedAgain = transcript.exchanges.some(({ id }) => id === 'get-created-again')
      return onResponse(isAskedAgain ? 'get-created-again' : 'get-created', judgeServed)(transcript)
    }),
  ),
  'CREATE-8 s3-filter-complete': must.create(
    'a new animal is on the page of its status and on the unfiltered page, if the page is complete, asked once more after two seconds if at first it is not',
    judgeListed,
  ),
  'CREATE-24 s4-2-rejected': must.create(
    'a rejected creation, also one without a valid key, leaves no animal behind, as far as complete pages show',
    judgeNothingLeft,
  ),
  'CREATE-26 s4-2-stored': must.create(
    'later responses show a new animal with the `name` and the `categoryId` that were sent',
    judgeStored,
  ),
}

function judgeServed({ exchange, response, status }: JudgedResponse, transcript: Transcript): Finding {
  const petId = exchange.request.target.slice('/pets/'.length)
  if (status !== 200) {
    return showsRemovals(transcript)
      ? noEvidence('other clients remove animals during the run')
      : broken('status 200', `new animal ${petId} returned ${status}`)
  }
  const pet = readPet(response)
  if (pet === undefined) return noEvidence('no Pet was returned: see GET-1')
  if (pet.id.toString() !== petId) return broken(`the id ${petId}`, `it has the id ${pet.id}`)
  const creation = validCreations(transcript).find((one) => one.pet?.id === pet.id)
  const names = creation === undefined ? [] : [readSentName(creation.exchange), creation.pet?.name]
  return names.length === 0 || names.some((name) => isSameName(name, pet.name))
    ? holds(`new animal ${petId} is served`)
    : broken(`the name ${show(names[0])}`, `new animal ${petId} has the name ${show(pet.name)}`)
}

/** Another client may have changed or removed the new animal. A getPet after the pages shows whether that happened. */
function judgeListed(transcript: Transcript): Finding {
  const all = findOnPages(transcript)
  const missing = all.filter(({ found }) => found === undefined)
  const proved = missing.find((one) => one.page.id.endsWith('-again') && isUnchanged(transcript, one))
  const [first] = missing
  if (proved !== undefined) {
    const { pet, page, creation } = proved
    const which = page.status === undefined ? 'the unfiltered page' : 'the page of its status'
    const got = `the complete page ${formatRequestName(page.exchange)} without the animal`
    return broken(`animal ${pet.id} on ${which}`, got, page.id, creation.id)
  }
  if (first !== undefined) {
    const { pet, page, creation } = first
    const lack = `${formatRequestName(page.exchange)} lacks new animal ${pet.id}`
    const reason = `${lack}, which other clients may have changed`
    return nothingToJudge(transcript, reason, page.id, creation.id)
  }
  return all.length > 0
    ? holds('every new animal is on the pages that must show it', ...all.map(({ page }) => page.id))
    : nothingToJudge(transcript, 'no page shows it, and no page is complete')
}

/**
 * Returns whether a getPet behind a page shows that a new animal still exists and, if the page has a filter, its
 * status.
 */
function isUnchanged(transcript: Transcript, { pet, page }: NewPetOnPage): boolean {
  return listResponsesTo(transcript, 'key').some(({ id, exchange, response }) => {
    const isGet = id === 'get-created' || id === 'get-created-again'
    if (!isGet || findPlace(transcript, exchange) < findPlace(transcript, page.exchange)) return false
    const now = readPet(response)
    return now?.id === pet.id && (page.status === undefined || now.status === pet.status)
  })
}

function judgeNothingLeft(transcript: Transcript): Finding {
  const placeIn = ({ exchange }: RecordedResponse): number => findPlace(transcript, exchange)
  const rejected = responses(transcript).flatMap((recorded) => {
    const { id, exchange, response } = recorded
    const { status } = response
    const isRejected = isPost(exchange) && status >= 400 && status < 500 && status !== 429
    const name = isRejected && !isRepetition(id) ? readSentName(exchange) : undefined
    return name === undefined ? [] : [{ id, name, place: placeIn(recorded) }]
  })
  const all = pages(transcript)
  const lastWith = new Map(all.flatMap((page) => [...namesOn(page)].map((name) => [name, page])))
  for (const { id, name, place } of rejected) {
    const later = lastWith.get(name.normalize('NFC'))
    if (later === undefined || placeIn(later) < place) continue
    const got = `${formatRequestName(later.exchange)} shows ${show(name)}, which the rejected ${id} sent`
    return broken('no animal from a rejected creation', got, later.id, id)
  }
  if (rejected.length === 0) return nothingToJudge(transcript, 'no creation with a name was rejected')
  const first = Math.min(...rejected.map(({ place }) => place))
  const complete = all.filter((page) => placeIn(page) > first && isComplete(page, all))
  const last = Math.max(...complete.map(placeIn))
  const shown = rejected.filter(({ place }) => place < last).length
  if (shown === 0) return nothingToJudge(transcript, 'no page after the rejections is complete')
  const counts = `${shown} of the ${rejected.length} rejected creations with a name`
  return holds(`no complete page shows an animal of ${counts}`, ...complete.map(({ id }) => id))
}

/** A new animal in later responses of one kind, pages or getPet, and how the last two differ from the request. */
interface LaterState {
  readonly creation: Creation
  readonly last: PetInResponse
  readonly difference: string | undefined
  /** The response before the last one, if it differs too. */
  readonly confirming: PetInResponse | undefined
}

/**
 * A difference counts if the response that was requested again shows it too. CREATE-3, CREATE-21, CREATE-22 and
 * CREATE-28 judge a creation whose own response differs from the request.
 */
function judgeStored(transcript: Transcript): Finding {
  const all = shownLater(transcript)
  for (const { creation, last, difference, confirming } of all) {
    if (difference === undefined || confirming === undefined) continue
    const expected = `animal ${last.pet.id} as the creation ${creation.id} sent it`
    const got = `${formatRequestName(last.exchange)} shows ${difference}`
    return broken(expected, got, last.exchange.id, confirming.exchange.id, creation.id)
  }
  for (const { creation, last, difference } of all) {
    const ids = [last.exchange.id, creation.id]
    const where = formatRequestName(last.exchange)
    if (difference !== undefined) return noEvidence(`only ${where} shows ${difference}`, ...ids)
    const [now, then] = [last.pet.status, creation.pet?.status]
    if (now === undefined || then === undefined || now === then) continue
    const change = `shows the status ${show(now)}, to which another client may have changed it`
    return noEvidence(`${where} ${change}`, ...ids)
  }
  return all.length > 0
    ? holds('later responses show the new animals as sent', ...all.map(({ last }) => last.exchange.id))
    : nothingToJudge(transcript, 'no later response shows a new animal')
}

function shownLater(transcript: Transcript): readonly LaterState[] {
  const hasGetPet = isBeforeRemoval(transcript)
  return validCreations(transcript)
    .filter(({ exchange, pet }) => pet !== undefined && isAsSent(exchange, pet))
    .flatMap((creation) => {
      const { onPages, byGetPet } = findLater(transcript, creation)
      return [onPages, hasGetPet ? byGetPet : []].flatMap((sightings): readonly LaterState[] => {
        const [last, before] = sightings.toReversed()
        if (last === undefined) return []
        const confirming = before && differenceFrom(creation, before.pet) ? before : undefined
        return [{ creation, last, difference: differenceFrom(creation, last.pet), confirming }]
      })
    })
}

/** Returns the difference between an animal and its creation, as a phrase; `undefined` if they agree. */
function differenceFrom({ exchange }: Creation, pet: Pet): string | undefined {
  if (isAsSent(exchange, pet)) return undefined
  return isSameName(readSentMember(exchange, 'name'), pet.name)
    ? `the categoryId ${pet.categoryId}`
    : `the name ${show(pet.name)}`
}
