import { unauthorized } from './auth.ts'
import { rulesOf } from './define.ts'
import { worst } from './judging.ts'
import { untilRemoval } from './removal.ts'
import type { Rule } from './rule.ts'

/** Section 5: the key is checked before the rest of a request. */
export const keyFirstRules: readonly Rule[] = [
  rulesOf('read').must(
    'AUTH-13',
    's5-before-the-rest',
    'without a key, `limit=0` and getPet of an unknown id return 401',
    (transcript) => {
      const list = unauthorized(transcript, 'no-key-limit-0')
      const get = untilRemoval(transcript, () => unauthorized(transcript, 'no-key-get-unknown'))
      return get.outcome === 'not-applicable' ? list : worst([list, get])
    },
  ),
  rulesOf('create').must(
    'AUTH-14',
    's5-before-the-rest',
    'createPet with an invalid body returns 401, without a key and with an unknown key',
    (transcript) =>
      worst([
        unauthorized(transcript, 'no-key-create-invalid'),
        unauthorized(transcript, 'unknown-key-create-invalid'),
      ]),
  ),
]
