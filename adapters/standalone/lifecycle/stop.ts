import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { PetServer } from '../../node-http.ts'
import type { Environment } from '../cli/settings.ts'
import { exitCodes } from '../errors.ts'
import type { Log } from '../log/log.ts'

const isWindows = process.platform === 'win32'

/** The signal after which the keys are read again. Undefined on Windows, where a closing console sends it. */
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

/** How often a server that npm started looks for its parents, in milliseconds. */
const checkMs = 500

/** Returns the process that started this one, and on Linux that one's parent: npm starts a shell in between. */
function parents(): string {
  const { ppid } = process
  try {
    // The name of the process is in parentheses, and may have spaces; its state and its parent follow (proc(5)).
    const [, grandparent] = readFileSync(`/proc/${ppid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return `${ppid} ${grandparent}`
  } catch {
    return String(ppid)
  }
}

/**
 * Watches whether npm has ended that started this process, which would leave a server that nobody stops. Calls back
 * once. Returns a function that ends the watch.
 */
export function watchParent(env: Environment, onGone: (reason: string) => void): () => void {
  if (!env.npm_lifecycle_event) return () => {}
  const first = parents()
  const timer = setInterval(() => {
    if (parents() === first) return
    clearInterval(timer)
    onGone('npm has ended')
  }, checkMs).unref()
  return () => clearInterval(timer)
}
