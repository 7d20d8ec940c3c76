import { readFileSync } from 'node:fs'
import type { Environment } from '../cli/settings.ts'

/** How often a server that npm started looks for its parents, in milliseconds. */
const checkMs = 500

/** Returns the process that started this one, and that one's parent where the system shows it: npm starts a shell in between. */
function parentsNow(): string {
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
 * Watches whether npm has ended that started this process, which would leave a server that nobody stops. Calls back once.
 * Returns a function that ends the watch.
 *
 * @param parents - Returns the processes above this one.
 */
export function watchParent(
  env: Environment,
  onGone: (reason: string) => void,
  parents: () => string = parentsNow,
): () => void {
  if (!env.npm_lifecycle_event) return () => {}
  const first = parents()
  const timer = setInterval(() => {
    if (parents() === first) return
    clearInterval(timer)
    onGone('npm has ended')
  }, checkMs).unref()
  return () => clearInterval(timer)
}
