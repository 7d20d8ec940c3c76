import {
  type Creation,
  isAsSent,
  memberSent,
  type Sighting,
  sightingsOf,
  validCreations,
} from '../../transcript/creations.ts'
import { isSameName, type Pet, show } from '../../transcript/pets.ts'
import { requestName, type Transcript } from '../../transcript/transcript.ts'
import { rulesOf } from '../define.ts'
import { broken, holds, noEvidence } from '../findings.ts'
import { nothingToJudge } from '../judging.ts'
import { isBeforeRemoval } from '../removal.ts'
import type { Finding, Rule } from '../rule.ts'

/** Section 4.2: later responses show a new animal as it was sent. */
export const laterRules: readonly Rule[] = [
  rulesOf('create').must(
    'CREATE-26',
    's4-2-stored',
    'later responses show a new animal with the `name` and the `categoryId` that were sent',
    judgeStored,
  ),
]

/** A new animal in later responses of one kind: pages, or getPet. */
interface Shown {
  readonly creation: Creation
  /** The last response that shows it. */
  readonly last: Sighting
  /** The response before that. */
  readonly before: Sighting | undefined
}

/**
 * A difference counts if the response that was requested again shows it too. CREATE-3, CREATE-21, CREATE-22 and CREATE-28
 * judge a creation whose own response differs from what was sent.
 */
function judgeStored(transcript: Transcript): Finding {
  const all = shownLater(transcript)
  for (const { creation, last, before } of all) {
    const difference = differenceFrom(creation, last.pet)
    if (
      difference !== undefined &&
      before !== undefined &&
      differenceFrom(creation, before.pet) !== undefined
    ) {
      return broken(
        `animal ${last.pet.id} as the creation ${creation.id} sent it`,
        `${requestName(last.exchange)} with ${difference}`,
        last.exchange.id,
        before.exchange.id,
        creation.id,
      )
    }
  }
  for (const { creation, last } of all) {
    const difference = differenceFrom(creation, last.pet)
    if (difference !== undefined)
      return noEvidence(
        `only ${requestName(last.exchange)} shows ${difference}`,
        last.exchange.id,
        creation.id,
      )
    const [now, then] = [last.pet.status, creation.pet?.status]
    if (now !== undefined && then !== undefined && now !== then) {
      return noEvidence(
        `${requestName(last.exchange)} shows the status ${show(now)}, to which another client may have changed it`,
        last.exchange.id,
        creation.id,
      )
    }
  }
  return all.length > 0
    ? holds('later responses show the new animals as sent', ...all.map(({ last }) => last.exchange.id))
    : nothingToJudge(transcript, 'no later response shows a new animal')
}

function shownLater(transcript: Transcript): readonly Shown[] {
  const hasGetPet = isBeforeRemoval(transcript)
  return validCreations(transcript)
    .filter(({ exchange, pet }) => pet !== undefined && isAsSent(exchange, pet))
    .flatMap((creation) => {
      const { onPages, byGetPet } = sightingsOf(transcript, creation)
      return [onPages, hasGetPet ? byGetPet : []].flatMap((sightings) => {
        const last = sightings.at(-1)
        return last === undefined ? [] : [{ creation, last, before: sightings.at(-2) }]
      })
    })
}

/** Returns how an animal differs from what a creation sent, as a phrase; `undefined` if it does not. */
function differenceFrom({ exchange }: Creation, pet: Pet): string | undefined {
  if (isAsSent(exchange, pet)) return undefined
  return isSameName(memberSent(exchange, 'name'), pet.name)
    ? `the categoryId ${pet.categoryId}`
    : `the name ${show(pet.name)}`
}
