import type { EventEmitter } from 'node:events'
import type { PetServer } from '../../node-http/index.ts'
import { exitCodes } from '../errors.ts'
import type { Log } from '../log/log.ts'

const isWindows = process.platform === 'win32'

/** The signal that reloads the keys. Undefined on Windows, whose console sends it when it closes. */
export const reloadSignal: 'SIGHUP' | undefined = isWindows ? undefined : 'SIGHUP'

/** SIGBREAK is Ctrl+Break of Windows. */
const signals = ['SIGTERM', 'SIGINT', ...(isWindows ? ['SIGBREAK', 'SIGHUP'] : [])]

/** Waits for a signal, then until the server is closed or a second signal comes. Resolves with the exit code. */
export function untilStopped(
  events: EventEmitter,
  server: Pick<PetServer, 'isClosing' | 'close'>,
  log: Log,
): Promise<number> {
  return new Promise((resolve) => {
    function stop(signal: string): void {
      if (server.isClosing) {
        log.error('cut-short', `${signal} came again: stopped immediately, with requests in flight cut off`)
        resolve(exitCodes.failed)
        return
      }
      log.info('stopping', `${signal}: finishing the requests in flight; a second signal stops immediately`)
      server.close((failure) => {
        if (failure) log.error('cut-off', failure.message)
        else log.info('stopped', 'every request has its response')
        resolve(failure ? exitCodes.failed : 0)
      })
    }
    for (const signal of signals) events.on(signal, () => stop(signal))
  })
}

/** Calls back once the process that started this one has ended. Keeps no process alive. */
export function watchParent(onGone: () => void): void {
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid === ppid) return
    clearInterval(timer)
    onGone()
  }, 500).unref()
}
