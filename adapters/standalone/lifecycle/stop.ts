import type { EventEmitter } from 'node:events'
import { exitCodes } from '../errors.ts'
import type { Log } from '../log/log.ts'
import type { Drain } from './drain.ts'

const signals = ['SIGTERM', 'SIGINT'] as const

/** Waits for a signal, then for the drain; a second signal ends the wait at once. Resolves with the exit code. */
export function untilStopped(events: EventEmitter, drain: Drain, log: Log): Promise<number> {
  return new Promise((resolve) => {
    const stop = async (signal: string) => {
      if (drain.begun) {
        log.error('cut-short', `${signal} came again: stopped at once, whatever was under way`)
        resolve(exitCodes.failed)
        return
      }
      log.info('stopping', `${signal}: answering what is under way; a second signal stops at once`)
      const cutOff = await drain.begin()
      if (cutOff === 0) log.info('stopped', 'every request has its answer')
      else log.error('cut-off', `${cutOff} connections were still busy at the deadline and were cut off`)
      resolve(cutOff === 0 ? 0 : exitCodes.failed)
    }
    for (const signal of signals) events.on(signal, () => void stop(signal))
  })
}
