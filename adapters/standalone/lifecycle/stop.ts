import type { EventEmitter } from 'node:events'
import type { PetServer } from '../../node-http/index.ts'
import { exitCodes } from '../errors.ts'
import type { Log } from '../log/log.ts'

const isWindows = process.platform === 'win32'

/** Signal that reloads the keys. `undefined` on Windows, where SIGHUP means that the console closes. */
export const reloadSignal: 'SIGHUP' | undefined = isWindows ? undefined : 'SIGHUP'

/** Signals that stop the server. SIGBREAK is Ctrl+Break on Windows. */
const stopSignals = ['SIGTERM', 'SIGINT', ...(isWindows ? ['SIGBREAK', 'SIGHUP'] : [])]

/** Waits for a signal, then for the server to close or for a second signal. Resolves with the exit code. */
export function waitUntilStopped(
  events: EventEmitter,
  server: Pick<PetServer, 'isClosing' | 'close'>,
  log: Log,
): Promise<number> {
  return new Promise((resolve) => {
    function stop(signal: string): void {
      if (server.isClosing) {
        log.error('forced-exit', `${signal}: stopped immediately, and aborted the requests in flight`)
        resolve(exitCodes.failed)
        return
      }
      log.info('stopping', `${signal}: finishing the requests in flight; a second signal stops immediately`)
      server.close((failure) => {
        if (failure) log.error('drain-timeout', failure.message)
        else log.info('stopped', 'every request has its response')
        resolve(failure ? exitCodes.failed : 0)
      })
    }
    for (const signal of stopSignals) events.on(signal, () => stop(signal))
  })
}

/**
 * Resolves with an exit code on a signal that nothing else handles. Linux drops such a signal for process 1, which the
 * program is in a container.
 */
export function waitForTermination(events: EventEmitter): Promise<number> {
  return new Promise((resolve) => {
    for (const [signal, exitCode] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)
      events.on(signal, () => {
        if (events.listenerCount(signal) === 1) resolve(exitCode)
      })
  })
}

/** Calls `onGone` when the parent process exits. The timer does not keep the process alive. */
export function watchParent(onGone: () => void): void {
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid === ppid) return
    clearInterval(timer)
    onGone()
  }, 500).unref()
}
