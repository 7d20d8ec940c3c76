import { burn } from './burn.ts'
import { createExchanger, type Exchanger } from './exchanger.ts'
import { judge } from './judge.ts'
import { type RunOptions, type Settings, settle } from './options.ts'
import { phasesOf } from './plan.ts'
import type { Report } from './report/report.ts'
import { readSelection } from './selection.ts'
import type { Step } from './steps.ts'
import { acceptedInvalid, mostAcceptedInvalid } from './transcript/creations.ts'
import { rejection } from './transcript/responses.ts'
import type { Transcript } from './transcript/transcript.ts'

/** Runs the suite against a deployment. Throws a TypeError on bad options; whatever the deployment does is a verdict. */
export async function runConformance(options: RunOptions): Promise<Report> {
  readSelection(options)
  return judge(await record(options), options)
}

/** Sends what the profile asks for, one exchange at a time, and keeps what came back, without secrets. */
export async function record(options: RunOptions): Promise<Transcript> {
  const settings = settle(options)
  const exchanger = createExchanger(settings)
  const { keyed, burn: burns, keyless } = phasesOf(settings.profile)
  for (const step of keyed) {
    if (rejection(exchanger.transcript().exchanges) === undefined) await perform(step, exchanger, settings)
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
