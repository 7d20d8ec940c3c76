import { isPost, nameSent } from '../transcript/creations.ts'
import { isObject } from '../transcript/json.ts'
import { isComplete, othersRemove, type Page, pages } from '../transcript/pages.ts'
import { type Pet, petOf } from '../transcript/pets.ts'
import { placings } from '../transcript/placings.ts'
import { isSuccess, jsonOf, responsesTo } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import { nothingToJudge } from './judging.ts'
import { judgeResponse } from './one-response.ts'
import { untilRemoval } from './removal.ts'
import type { Finding, Rule } from './rule.ts'

const create = rulesOf('create')

/** What later responses show of accepted and rejected creations. */
export const afterwardsRules: readonly Rule[] = [
  create.must(
    'CREATE-7',
    's4-3-created',
    'getPet serves what was created, asked once more after a second if at first it does not',
    (transcript) => untilRemoval(transcript, () => judgeServed(transcript)),
  ),
  create.must(
    'CREATE-8',
    's3-filter-complete',
    'it is on the page of its status, when that page is complete',
    judgeListed,
  ),
  create.must(
    'CREATE-24',
    's4-2-rejected',
    'a rejected creation leaves no animal behind, as far as complete pages show',
    judgeNothingLeft,
  ),
]

function judgeServed(transcript: Transcript): Finding {
  const again = transcript.exchanges.some(({ id }) => id === 'get-created-again')
  return judgeResponse(
    transcript,
    again ? 'get-created-again' : 'get-created',
    ({ id, exchange, response }) => {
      const asked = exchange.request.target.slice('/pets/'.length)
      if (response.status !== 200 && othersRemove(transcript)) {
        return noEvidence('other clients remove animals during the run', id)
      }
      if (response.status !== 200)
        return broken('status 200', `new animal ${asked} returned ${response.status}`, id)
      const pet = petOf(jsonOf(response))
      if (pet === undefined) return noEvidence('no Pet was returned: see GET-1', id)
      return pet.id.toString() === asked
        ? holds(`new animal ${asked} is served`, id)
        : broken(`the id ${asked}`, `it has the id ${pet.id}`, id)
    },
  )
}

/** Another client may have changed the new animal. A getPet after the pages shows whether its status is the same. */
function judgeListed(transcript: Transcript): Finding {
  const all = placings(transcript)
  const missing = all.filter(({ found }) => found === 'missing')
  const proved = missing.find(({ pet }) => hasSameStatus(transcript, pet))
  if (proved !== undefined) {
    const { pet, page, creation } = proved
    return broken(
      `animal ${pet.id} on the page of its status`,
      `the complete page ${page.id} without it`,
      page.id,
      creation.id,
    )
  }
  return all.length > 0 && missing.length === 0
    ? holds('every new animal is on the page of its status', ...all.map(({ page }) => page.id))
    : nothingToJudge(
        transcript,
        'no page shows it: no page is complete, or other clients changed the new animals',
      )
}

function hasSameStatus(transcript: Transcript, pet: Pet): boolean {
  return responsesTo(transcript, 'key').some(({ id, response }) => {
    const now = id === 'get-created-after' && isSuccess(response.status) ? petOf(jsonOf(response)) : undefined
    return now?.id === pet.id && now.status === pet.status
  })
}

function judgeNothingLeft(transcript: Transcript): Finding {
  const place = (id: string): number => transcript.exchanges.findIndex((exchange) => exchange.id === id)
  const rejected = responsesTo(transcript, 'key').flatMap(({ id, exchange, response: { status } }) => {
    const name =
      isPost(exchange) && status >= 400 && status < 500 && status !== 429 ? nameSent(exchange) : undefined
    return name === undefined ? [] : [{ id, name }]
  })
  const all = pages(transcript)
  for (const { id, name } of rejected) {
    const page = all.find((later) => place(later.id) > place(id) && hasName(later, name))
    if (page !== undefined)
      return broken(
        'no animal from a rejected creation',
        `${page.id} shows ${name}, which ${id} sent`,
        page.id,
        id,
      )
  }
  const last = Math.max(...rejected.map(({ id }) => place(id)))
  const complete = all.filter((page) => place(page.id) > last && isComplete(page, all))
  return rejected.length > 0 && complete.length > 0
    ? holds('no complete page shows one', ...complete.map(({ id }) => id))
    : nothingToJudge(
        transcript,
        rejected.length > 0
          ? 'no page after the rejections is complete'
          : 'no creation with a name was rejected',
      )
}

function hasName({ elements }: Page, name: string): boolean {
  return elements.some((element) => isObject(element) && element.get('name') === name)
}
