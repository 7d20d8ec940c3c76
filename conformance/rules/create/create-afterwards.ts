import { isPost, isRepetition, nameSent, placings, validCreations } from '../../transcript/creations.ts'
import { isComplete, namesOn, othersRemove, type Page, pages } from '../../transcript/pages.ts'
import { isSameName, type Pet, petOf, show } from '../../transcript/pets.ts'
import {
  isSuccess,
  jsonOf,
  placeOf,
  type RecordedResponse,
  responses,
  responsesTo,
} from '../../transcript/responses.ts'
import { requestName, type Transcript } from '../../transcript/transcript.ts'
import { rulesOf } from '../define.ts'
import { broken, holds, noEvidence } from '../findings.ts'
import { nothingToJudge } from '../judging.ts'
import { judgeResponse } from '../one-response.ts'
import { untilRemoval } from '../removal.ts'
import type { Finding, Rule } from '../rule.ts'

const create = rulesOf('create')

/** What later responses show of accepted and rejected creations. */
export const afterwardsRules: readonly Rule[] = [
  create.must(
    'CREATE-7',
    's4-3-created',
    'getPet returns a new animal under its name, asked once more after a second if at first it does not',
    (transcript) => untilRemoval(transcript, () => judgeServed(transcript)),
  ),
  create.must(
    'CREATE-8',
    's3-filter-complete',
    'a new animal is on the page of its status, when that page is complete, asked once more after two seconds if at first it is not',
    judgeListed,
  ),
  create.must(
    'CREATE-24',
    's4-2-rejected',
    'a rejected creation, also one without a valid key, leaves no animal behind, as far as complete pages show',
    judgeNothingLeft,
  ),
]

function judgeServed(transcript: Transcript): Finding {
  const isAskedAgain = transcript.exchanges.some((exchange) => exchange.id === 'get-created-again')
  const id = isAskedAgain ? 'get-created-again' : 'get-created'
  return judgeResponse(transcript, id, ({ exchange, response }) => {
    const petId = exchange.request.target.slice('/pets/'.length)
    if (response.status !== 200 && othersRemove(transcript)) {
      return noEvidence('other clients remove animals during the run', id)
    }
    if (response.status !== 200)
      return broken('status 200', `new animal ${petId} returned ${response.status}`, id)
    const pet = petOf(jsonOf(response))
    if (pet === undefined) return noEvidence('no Pet was returned: see GET-1', id)
    if (pet.id.toString() !== petId) return broken(`the id ${petId}`, `it has the id ${pet.id}`, id)
    const creation = validCreations(transcript).find((one) => one.pet?.id === pet.id)
    const names = creation === undefined ? [] : [nameSent(creation.exchange), creation.pet?.name]
    return names.length === 0 || names.some((name) => isSameName(name, pet.name))
      ? holds(`new animal ${petId} is served`, id)
      : broken(`the name ${show(names[0])}`, `new animal ${petId} has the name ${show(pet.name)}`, id)
  })
}

/** Another client may have changed the new animal. A getPet after the pages shows whether its status is the same. */
function judgeListed(transcript: Transcript): Finding {
  const all = placings(transcript)
  const missing = all.filter(({ found }) => found === undefined)
  const proved = missing.find(({ page, pet }) => page.id.endsWith('-again') && hasSameStatus(transcript, pet))
  if (proved !== undefined) {
    const { pet, page, creation } = proved
    return broken(
      `animal ${pet.id} on the page of its status`,
      `the complete page ${requestName(page.exchange)} without it`,
      page.id,
      creation.id,
    )
  }
  const first = missing[0]
  if (first !== undefined) {
    return nothingToJudge(
      transcript,
      `${requestName(first.page.exchange)} lacks new animal ${first.pet.id}, which other clients may have changed`,
      first.page.id,
      first.creation.id,
    )
  }
  return all.length > 0
    ? holds('every new animal is on the page of its status', ...all.map(({ page }) => page.id))
    : nothingToJudge(transcript, 'no page shows it, and no page is complete')
}

function hasSameStatus(transcript: Transcript, pet: Pet): boolean {
  return responsesTo(transcript, 'key').some(({ id, response }) => {
    const isGet = id === 'get-created' || id === 'get-created-again'
    const now = isGet && isSuccess(response.status) ? petOf(jsonOf(response)) : undefined
    return now?.id === pet.id && now.status === pet.status
  })
}

/** A creation that was rejected, with or without a valid key. */
interface Rejected {
  readonly id: string
  readonly name: string
  readonly place: number
}

/** Returns the pages that show each name. */
function pagesByName(all: readonly Page[]): ReadonlyMap<string, readonly Page[]> {
  const byName = new Map<string, Page[]>()
  for (const page of all) {
    for (const name of namesOn(page)) {
      const known = byName.get(name)
      if (known === undefined) byName.set(name, [page])
      else known.push(page)
    }
  }
  return byName
}

function judgeNothingLeft(transcript: Transcript): Finding {
  const place = ({ exchange }: RecordedResponse): number => placeOf(transcript, exchange)
  const rejected = responses(transcript).flatMap((recorded): Rejected[] => {
    const {
      id,
      exchange,
      response: { status },
    } = recorded
    const name =
      isPost(exchange) && status >= 400 && status < 500 && status !== 429 ? nameSent(exchange) : undefined
    return name === undefined || isRepetition(id) ? [] : [{ id, name, place: place(recorded) }]
  })
  const all = pages(transcript)
  const byName = pagesByName(all)
  for (const { id, name, place: sent } of rejected) {
    const later = byName.get(name.normalize('NFC'))?.find((page) => place(page) > sent)
    if (later !== undefined)
      return broken(
        'no animal from a rejected creation',
        `${requestName(later.exchange)} shows ${show(name)}, which the rejected ${id} sent`,
        later.id,
        id,
      )
  }
  const first = Math.min(...rejected.map((one) => one.place))
  const complete = all.filter((page) => place(page) > first && isComplete(page, all))
  const last = Math.max(...complete.map(place))
  const shown = rejected.filter((one) => one.place < last)
  return shown.length > 0
    ? holds(
        `no complete page shows an animal of ${shown.length} of the ${rejected.length} rejected creations with a name`,
        ...complete.map(({ id }) => id),
      )
    : nothingToJudge(
        transcript,
        rejected.length > 0
          ? 'no page after the rejections is complete'
          : 'no creation with a name was rejected',
      )
}
