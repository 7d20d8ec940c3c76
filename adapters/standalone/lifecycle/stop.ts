import type { EventEmitter } from 'node:events'
import type { PetServer } from '../../node-http.ts'
import { exitCodes } from '../errors.ts'
import type { Log } from '../log/log.ts'

/** SIGBREAK is Ctrl+Break of Windows. */
const signals = ['SIGTERM', 'SIGINT', 'SIGBREAK'] as const

/** Waits for a signal, then until the server is closed. A second signal ends the wait at once. Resolves with the exit code. */
export function untilStopped(
  events: EventEmitter,
  server: Pick<PetServer, 'isClosing' | 'close'>,
  log: Log,
): Promise<number> {
  return new Promise((resolve) => {
    function stop(signal: string): void {
      if (server.isClosing) {
        log.error('cut-short', `${signal} came again: stopped at once, with requests in flight cut off`)
        resolve(exitCodes.failed)
        return
      }
      log.info('stopping', `${signal}: finishing the requests in flight; a second signal stops at once`)
      server.close((failure) => {
        if (failure) log.error('cut-off', failure.message)
        else log.info('stopped', 'every request has its response')
        resolve(failure ? exitCodes.failed : 0)
      })
    }
    for (const signal of signals)
      events.on(signal, (reason: unknown) => stop(typeof reason === 'string' ? reason : signal))
  })
}
