import { creatingSteps } from '../../steps/steps-create.ts'
import { validCreations } from '../../transcript/creations.ts'
import { requestName } from '../../transcript/transcript.ts'
import { broken, holds, noEvidence, onCreation, worstOf } from '../judging.ts'
import type { Judge, Judges } from '../rule.ts'

/** Section 4.2: invalid bodies, each of which returns 400. */
export const invalidBodyJudges: Judges<
  'CREATE',
  9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 27
> = {
  'CREATE-9': rejects('CREATE-9'),
  'CREATE-10': rejects('CREATE-10'),
  'CREATE-11': rejects('CREATE-11'),
  'CREATE-12': rejects('CREATE-12'),
  'CREATE-13': rejects('CREATE-13'),
  'CREATE-14': rejects('CREATE-14'),
  'CREATE-15': rejects('CREATE-15'),
  'CREATE-16': rejects('CREATE-16'),
  'CREATE-17': rejects('CREATE-17'),
  'CREATE-18': rejects('CREATE-18'),
  'CREATE-19': rejects('CREATE-19'),
  'CREATE-20': rejects('CREATE-20'),
  'CREATE-27': rejects('CREATE-27'),
}

/**
 * The bodies are those of the steps that name the rule. If no valid body is accepted, a 400 is no evidence: it may have
 * another cause.
 */
function rejects(rule: string): Judge {
  const judges = creatingSteps
    .filter(({ creates, judgedBy }) => creates === 'invalid' && judgedBy?.includes(rule))
    .map((step) =>
      onCreation(step.id, ({ id, exchange, status }, transcript) => {
        if (status !== 400) return broken('status 400', `${requestName(exchange)} returned ${status}`)
        const [accepted] = validCreations(transcript)
        return accepted === undefined
          ? noEvidence('no valid body was accepted, so the 400 is no evidence')
          : holds('it was rejected with 400', id, accepted.id)
      }),
    )
  return worstOf(...judges)
}
