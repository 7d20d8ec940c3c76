import { type Creation, memberSent, validCreations } from '../transcript/creations.ts'
import { pages } from '../transcript/pages.ts'
import { type Pet, petOf, show } from '../transcript/pets.ts'
import { isSuccess, jsonOf, responsesTo } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds } from './findings.ts'
import { nothingToJudge } from './judging.ts'
import type { Finding, Rule } from './rule.ts'

/** Section 4.2: later responses show a new animal as it was sent. */
export const laterRules: readonly Rule[] = [
  rulesOf('create').must(
    'CREATE-26',
    's4-2-stored',
    'later responses show a new animal with the `name` and the `categoryId` that were sent',
    judgeStored,
  ),
]

/** An animal in a later response, with the id of the exchange. */
interface Sighting {
  readonly id: string
  readonly pet: Pet
}

/** CREATE-3, CREATE-21 and CREATE-22 judge a creation whose own response differs from what was sent. */
function judgeStored(transcript: Transcript): Finding {
  const seen = validCreations(transcript)
    .filter(isAsSent)
    .flatMap((creation) => lastSightings(transcript, creation).map((sighting) => ({ creation, sighting })))
  for (const { creation, sighting } of seen) {
    const difference = differenceFrom(creation, sighting.pet)
    if (difference !== undefined) {
      return broken(
        `animal ${sighting.pet.id} as ${creation.id} sent it`,
        `${sighting.id} with ${difference}`,
        sighting.id,
        creation.id,
      )
    }
  }
  return seen.length > 0
    ? holds('later responses show the new animals as sent', ...seen.map(({ sighting }) => sighting.id))
    : nothingToJudge(transcript, 'no later response shows a new animal')
}

function isAsSent(creation: Creation): boolean {
  return creation.pet !== undefined && differenceFrom(creation, creation.pet) === undefined
}

/** Returns how an animal differs from what a creation sent, as a phrase; `undefined` if it does not. */
function differenceFrom({ exchange }: Creation, { name, categoryId }: Pet): string | undefined {
  const sent = { name: memberSent(exchange, 'name'), categoryId: memberSent(exchange, 'categoryId') }
  if (typeof sent.name === 'string' && sent.name.normalize('NFC') !== name.normalize('NFC')) {
    return `the name ${show(name)}`
  }
  return sent.categoryId === categoryId ? undefined : `the categoryId ${categoryId}`
}

/** Returns a new animal on the last page that shows it, and in the last response of getPet. */
function lastSightings(transcript: Transcript, { exchange, pet }: Creation): readonly Sighting[] {
  const start = transcript.exchanges.indexOf(exchange)
  const later = new Set(transcript.exchanges.slice(start + 1))
  const listed = pages(transcript).flatMap((page) => {
    const found = later.has(page.exchange) ? page.pets.find(({ id }) => id === pet?.id) : undefined
    return found === undefined ? [] : [{ id: page.id, pet: found }]
  })
  const got = responsesTo(transcript, 'key').flatMap(({ id, exchange, response }) => {
    const isGet = exchange.request.method === 'GET' && exchange.request.target === `/pets/${pet?.id}`
    const found =
      isGet && later.has(exchange) && isSuccess(response.status) ? petOf(jsonOf(response)) : undefined
    return found === undefined || found.id !== pet?.id ? [] : [{ id, pet: found }]
  })
  return [listed.at(-1), got.at(-1)].filter((sighting) => sighting !== undefined)
}
