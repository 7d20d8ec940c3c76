import { lstatSync, type Stats, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { explain, StartError, startWith } from '../errors.ts'

/**
 * Removes the Unix socket that a dead process has left at a path. Rejects with `StartError` if a process listens on it, or if
 * the path is that of anything else.
 *
 * @param flag The flag or variable that names the path, for messages.
 */
export async function removeStaleSocket(path: string, flag: string): Promise<void> {
  const found = startWith(`cannot listen on the socket ${path}`, () =>
    lstatSync(path, { throwIfNoEntry: false }),
  )
  if (!found) return
  if (!found.isSocket())
    throw new StartError(`${path} exists and is no socket: choose another path with ${flag}, or remove it`)
  const problem = await connectionProblem(path)
  if (problem === undefined)
    throw new StartError(`a process listens on ${path}: stop it, or choose another path with ${flag}`)
  if (problem !== 'ECONNREFUSED')
    throw new StartError(
      `cannot find out who listens on ${path}: ${problem}: choose another path with ${flag}`,
    )
  startWith(`cannot replace the socket ${path} that a dead process has left`, () => remove(path, found))
}

/** Resolves with why a connection fails; undefined if it does not. The system decides at once: nothing is waited for. */
function connectionProblem(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(undefined)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? explain(error, false)))
  })
}

/** Leaves a socket that another process has made meanwhile. */
function remove(path: string, found: Stats): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === found.ino) unlinkSync(path)
}
