import { unusual } from '../../steps/bodies.ts'
import { memberSent, sightingsOf } from '../../transcript/creations.ts'
import { petOf, show } from '../../transcript/pets.ts'
import { jsonOf, memberOf, type RecordedResponse } from '../../transcript/responses.ts'
import type { Transcript } from '../../transcript/transcript.ts'
import { rulesOf } from '../define.ts'
import { broken, holds } from '../findings.ts'
import type { Finding, Rule } from '../rule.ts'
import { judgeAccepted } from './create-returned.ts'

const create = rulesOf('create')

/** Section 2: one name has the letters of several scripts, a space, and punctuation. */
export const unusualNameRules: readonly Rule[] = [
  create.must(
    'CREATE-22',
    's2-name-text',
    'a name in several scripts, when accepted, comes back as sent',
    (transcript) => judgeAccepted(transcript, 'create-unusual-name', 'name', judgeScripts),
  ),
  create.must(
    'CREATE-28',
    's2-name-text',
    'a name with `&`, `<`, `"` and `\'`, when accepted, comes back as sent, at once and later',
    (transcript) =>
      judgeAccepted(transcript, 'create-unusual-name', 'name', (recorded) =>
        judgePunctuation(transcript, recorded),
      ),
  ),
]

/** The name ends in a space and punctuation, which CREATE-28 judges. */
function judgeScripts(recorded: RecordedResponse): Finding {
  const [sent, back] = namesOf(recorded)
  return back.startsWith(sent.slice(0, sent.lastIndexOf(' ')))
    ? holds('the letters came back as sent', recorded.id)
    : broken(`the letters of ${show(sent)}`, `the name ${show(back)}`, recorded.id)
}

/** Later, a difference counts if two responses show it. */
function judgePunctuation(transcript: Transcript, recorded: RecordedResponse): Finding {
  const { id } = recorded
  const [sent, back] = namesOf(recorded)
  const keeps = (name: string): boolean => name.normalize('NFC').endsWith(` ${unusual.punctuation}`)
  if (!keeps(back)) return broken(`the punctuation of ${show(sent)}`, `the name ${show(back)}`, id)
  const { onPages, byGetPet } = sightingsOf(transcript, {
    ...recorded,
    pet: petOf(jsonOf(recorded.response)),
  })
  for (const sightings of [onPages, byGetPet]) {
    const [before, last] = sightings
    if (before === undefined || last === undefined || keeps(before.pet.name) || keeps(last.pet.name)) continue
    return broken(
      `the punctuation of ${show(sent)}`,
      `later the name ${show(last.pet.name)}`,
      last.exchange.id,
      before.exchange.id,
      id,
    )
  }
  return holds('the punctuation came back as sent', id)
}

/** Returns the name that was sent and the one in the response, in one normal form. */
function namesOf({ exchange, response }: RecordedResponse): readonly [sent: string, back: string] {
  const [sent = '', back = ''] = [memberSent(exchange, 'name'), memberOf({ response }, 'name')].map((name) =>
    typeof name === 'string' ? name.normalize('NFC') : '',
  )
  return [sent, back]
}
