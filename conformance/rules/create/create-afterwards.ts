import {
  type Creation,
  type CreationReadBacks,
  isCreatePet,
  isRepeatStep,
  listReadBacks,
  listValidCreations,
  matchesRequest,
  readSentMember,
  readSentName,
} from '../../transcript/creations.ts'
import { getPetNames, isComplete, parsePages, showsRemovedPets } from '../../transcript/pages.ts'
import { formatValue, isSameName, type Pet } from '../../transcript/pets.ts'
import { indexOfExchange, listResponses, type RecordedResponse, readPet } from '../../transcript/responses.ts'
import { formatRequestName, type Transcript } from '../../transcript/transcript.ts'
import {
  broken,
  explainMissingEvidence,
  holds,
  type JudgedResponse,
  judgeResponse,
  noEvidence,
} from '../judging.ts'
import { isBeforeRemoval, judgeUntilRemoval } from '../removal.ts'
import { type Finding, must, type RuleFamily } from '../rule.ts'

/** Rules about later responses that show a created animal (sections 3 and 4). */
export const afterwardsRules: RuleFamily = {
  'CREATE-7 s4-3-created': must.create(
    'getPet returns a new animal with its name, at the latest when asked again after a second',
    judgeUntilRemoval((transcript) => {
      const isAskedAgain = transcript.exchanges.some(({ id }) => id === 'get-created-again')
      return judgeResponse(isAskedAgain ? 'get-created-again' : 'get-created', judgeServed)(transcript)
    }),
  ),
  'CREATE-8 s3-filter-complete': must.create(
    'complete pages show a new animal, with its status as the filter and unfiltered, at the latest when requested again after two seconds',
    judgeListed,
  ),
  'CREATE-24 s4-2-rejected': must.create(
    'a rejected creation, with or without a valid key, creates no animal, as far as complete pages show',
    judgeNothingStored,
  ),
  'CREATE-26 s4-2-stored': must.create(
    'later responses show a new animal with the `name` and `categoryId` that were sent',
    judgeStored,
  ),
}

function judgeServed({ exchange, response, status }: JudgedResponse, transcript: Transcript): Finding {
  const petId = exchange.request.target.slice('/pets/'.length)
  if (status !== 200) {
    return showsRemovedPets(transcript)
      ? noEvidence('other clients removed animals during the run')
      : broken('status 200', `getPet returned ${status} for the new animal ${petId}`)
  }
  const pet = readPet(response)
  if (pet === undefined) return noEvidence('no Pet was returned: see GET-1')
  if (pet.id.toString() !== petId) return broken(`the id ${petId}`, `the animal has the id ${pet.id}`)
  const creation = listValidCreations(transcript).find((one) => one.pet?.id === pet.id)
  const names = creation === undefined ? [] : [readSentName(creation.exchange), creation.pet?.name]
  if (names.length === 0 || names.some((name) => isSameName(name, pet.name)))
    return holds(`getPet returns the new animal ${petId}`)
  const actualName = `the new animal ${petId} has the name ${formatValue(pet.name)}`
  return broken(`the name ${formatValue(names[0])}`, actualName)
}

/** A missing animal is evidence only if it is missing twice and getPet shows that no other client changed it. */
function judgeListed(transcript: Transcript): Finding {
  const readBacks = listReadBacks(transcript).filter(({ page }) => page !== undefined)
  const missingReadBacks = readBacks.filter(
    ({ first, second }) => first.found === undefined && second?.found === undefined,
  )
  const provenReadBack = missingReadBacks.find(
    (looks) => looks.second !== undefined && isUnchanged(transcript, looks),
  )
  const missingReadBack = provenReadBack ?? missingReadBacks[0]
  if (missingReadBack === undefined) {
    const ids = readBacks.map(({ first }) => first.exchange.id)
    return ids.length > 0
      ? holds('every new animal is on each page that must show it', ...ids)
      : explainMissingEvidence(transcript, 'no page is complete, and no page shows a new animal')
  }
  const { creation, page, first, second = first } = missingReadBack
  const name = formatRequestName(second.exchange)
  const ids = [second.exchange.id, creation.id]
  if (provenReadBack === undefined) {
    const reason = `${name} does not show the new animal ${creation.pet.id}, which other clients may have changed`
    return explainMissingEvidence(transcript, reason, ...ids)
  }
  const pageDescription = page?.status === undefined ? 'the unfiltered page' : 'the page with its status'
  const actualPage = `${name}, a complete page that does not contain it`
  return broken(`animal ${creation.pet.id} on ${pageDescription}`, actualPage, ...ids)
}

function isUnchanged(transcript: Transcript, { creation: { pet }, page }: CreationReadBacks): boolean {
  return listReadBacks(transcript)
    .filter((looks) => looks.page === undefined && looks.creation.pet.id === pet.id)
    .flatMap(({ first, second = first }) => [first.found, second.found])
    .some((now) => now !== undefined && (page?.status === undefined || now.status === pet.status))
}

function judgeNothingStored(transcript: Transcript): Finding {
  const findPlace = ({ exchange }: RecordedResponse): number => indexOfExchange(transcript, exchange)
  const rejectedCreations = listResponses(transcript).flatMap((recorded) => {
    const { id, exchange, response } = recorded
    const { status } = response
    const isRejected = isCreatePet(exchange) && status >= 400 && status < 500 && status !== 429
    const name = isRejected && !isRepeatStep(id) ? readSentName(exchange) : undefined
    return name === undefined ? [] : [{ id, name, place: findPlace(recorded) }]
  })
  const pages = parsePages(transcript)
  const lastPagesByName = new Map(pages.flatMap((page) => [...getPetNames(page)].map((name) => [name, page])))
  for (const { id, name, place } of rejectedCreations) {
    const laterPage = lastPagesByName.get(name.normalize('NFC'))
    if (laterPage === undefined || findPlace(laterPage) < place) continue
    const actualPage = `${formatRequestName(laterPage.exchange)} shows the name ${formatValue(name)}, which the rejected request ${id} sent`
    return broken('a list without animals from rejected creations', actualPage, laterPage.id, id)
  }
  if (rejectedCreations.length === 0)
    return explainMissingEvidence(transcript, 'no creation whose body has a name was rejected')
  const firstPlace = Math.min(...rejectedCreations.map(({ place }) => place))
  const completePages = pages.filter((page) => findPlace(page) > firstPlace && isComplete(page, pages))
  const lastPlace = Math.max(...completePages.map(findPlace))
  const checkedCount = rejectedCreations.filter(({ place }) => place < lastPlace).length
  if (checkedCount === 0)
    return explainMissingEvidence(transcript, 'no page requested after the rejected creations is complete')
  const checked = `${checkedCount} of the ${rejectedCreations.length} rejected creations with a name`
  return holds(
    `no complete page shows an animal from one of ${checked}`,
    ...completePages.map(({ id }) => id),
  )
}

/**
 * A difference counts only if the response that was requested again shows it too. CREATE-3, CREATE-21, CREATE-22 and
 * CREATE-28 judge the response to the creation itself.
 */
function judgeStored(transcript: Transcript): Finding {
  const hasGetPet = isBeforeRemoval(transcript)
  const readBacks = listReadBacks(transcript).filter(
    ({ creation: { exchange, pet }, page, first }) =>
      first.found !== undefined && (hasGetPet || page !== undefined) && matchesRequest(exchange, pet),
  )
  for (const { creation, first, second } of readBacks) {
    const difference = describeDifference(creation, second?.found)
    if (second === undefined || difference === undefined) continue
    if (describeDifference(creation, first.found) === undefined) continue
    const expected = `animal ${creation.pet.id} with the values in ${creation.id}`
    const actualAnimal = `${formatRequestName(second.exchange)} shows ${difference}`
    return broken(expected, actualAnimal, second.exchange.id, first.exchange.id, creation.id)
  }
  for (const { creation, first, second } of readBacks) {
    const { exchange, found } = second?.found === undefined ? first : second
    const ids = [exchange.id, creation.id]
    const requestName = formatRequestName(exchange)
    const difference = describeDifference(creation, found)
    if (difference !== undefined) return noEvidence(`only ${requestName} shows ${difference}`, ...ids)
    const [now, then] = [found?.status, creation.pet.status]
    if (now === undefined || then === undefined || now === then) continue
    const statusChange = `shows the status ${formatValue(now)}, which another client may have set`
    return noEvidence(`${requestName} ${statusChange}`, ...ids)
  }
  const ids = readBacks.map(({ first }) => first.exchange.id)
  return ids.length > 0
    ? holds('later responses show the new animals as sent', ...ids)
    : explainMissingEvidence(transcript, 'no later response shows a new animal')
}

function describeDifference({ exchange }: Creation, pet: Pet | undefined): string | undefined {
  if (pet === undefined || matchesRequest(exchange, pet)) return undefined
  return isSameName(readSentMember(exchange, 'name'), pet.name)
    ? `the categoryId ${pet.categoryId}`
    : `the name ${formatValue(pet.name)}`
}
