import { burn } from './burn.ts'
import { createExchanger, type Exchanger } from './exchanger.ts'
import { type RunOptions, readOptions, type Settings } from './options.ts'
import { phasesOf } from './plan.ts'
import type { Step } from './steps.ts'
import { acceptedInvalid, mostAcceptedInvalid } from './transcript/creations.ts'
import { keyRejection } from './transcript/responses.ts'
import type { Transcript } from './transcript/transcript.ts'

/**
 * Sends the requests of a profile, one at a time, and records each exchange. Judges nothing.
 *
 * @param options Where to send the requests, and which.
 * @returns The transcript of the run, without secrets.
 * @throws {TypeError} An option is invalid. What the deployment does is recorded and never throws.
 *
 * @example
 * import { judge, record } from 'pet-adoption-service/conformance'
 *
 * const transcript = await record({ baseUrl: 'https://api.example.com/v1', key: 'key-of-a-test-account' })
 * console.log(transcript.exchanges.length, judge(transcript).summary)
 */
export async function record(options: RunOptions): Promise<Transcript> {
  const settings = readOptions(options)
  const exchanger = createExchanger(settings)
  const { keyed, burn: burns, keyless } = phasesOf(settings.profile)
  for (const step of keyed) {
    if (keyRejection(exchanger.transcript().exchanges) === undefined) await perform(step, exchanger, settings)
  }
  if (burns) await burn(exchanger, settings)
  for (const step of keyless) await perform(step, exchanger, settings)
  return exchanger.transcript()
}

async function perform(step: Step, exchanger: Exchanger, { clock }: Settings): Promise<void> {
  if (step.creates === 'invalid' && acceptedInvalid(exchanger.transcript()) >= mostAcceptedInvalid) return
  if (step.when?.holds(exchanger.known()) === false || exchanger.hasEnded()) return
  if (step.after !== undefined) await clock.sleep(step.after)
  await exchanger.exchange(step)
}
