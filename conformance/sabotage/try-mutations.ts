import { catalogue, record, type Transcript } from '../index.ts'
import { editResponse, headers, initially, isGet, isList, withLimiters } from './change.ts'
import { fixedWindow, minute } from './limiter.ts'
import { late, removed } from './over-time.ts'
import { trialOptions } from './trial.ts'
import type { Variant } from './variant.ts'
import { seedAnimals } from './world.ts'

/** A deployment whose responses give every rule something to judge, in few exchanges. */
const deprecated: Variant = {
  does: 'deprecates getPet and states its plan',
  plan: 'free',
  prepare: (world) => {
    initially({ animals: seedAnimals(22) }).prepare?.(world)
    withLimiters(fixedWindow(4, minute), fixedWindow(60, minute)).prepare?.(world)
  },
  ...editResponse(isGet, headers({ deprecation: '@1795132800', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' })),
}
const afterRemoval: Variant = {
  does: 'responds to getPet with 410 after its removal',
  start: '2030-12-08T09:00:05Z',
  ...removed(410),
}

const lateList = late(2000, isList)
/** A deployment that lists new animals late and has no large category, so that getPet gets the first new animal. */
const lagging: Variant = {
  does: 'lists a created animal after two seconds',
  ...lateList,
  middleware: (request, next, world) => {
    const isLarge = request.body.includes('9007199254740993')
    const { middleware = next } = lateList
    return middleware(isLarge ? { ...request, body: '{}' } : request, next, world)
  },
}
/** The exchanges that show a new animal late. */
const shown: readonly string[] = [
  'list-100',
  'create-available',
  'list-available-100',
  'list-available-again',
  'get-created',
]

/** Records the transcripts that are mutated: of a whole run, of getPet after its removal, and of a list that lags. */
export async function recordTranscripts(): Promise<readonly Transcript[]> {
  const whole = await record(trialOptions(deprecated, 'all'))
  const later = await record(trialOptions(afterRemoval, 'read'))
  const exchanges = later.exchanges.filter(({ id }) => id.startsWith('get-'))
  const slow = await record(trialOptions(lagging, 'create'))
  return [
    whole,
    { ...later, exchanges },
    { ...slow, exchanges: slow.exchanges.filter(({ id }) => shown.includes(id)) },
  ]
}

/** The ids of the rules that a transcript breaks. */
export function rulesBrokenBy(transcript: Transcript): readonly string[] {
  return catalogue.filter((rule) => rule.judge(transcript).outcome === 'broken').map(({ id }) => id)
}
