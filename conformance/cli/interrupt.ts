import type { Report } from '../index.ts'
import { plural } from '../report/outcome.ts'
import { printable } from '../transcript/printable.ts'
import type { ProcessContext } from './process-context.ts'

/** The exit code of an interrupted run, as shells have it: 128 and the number of SIGINT. */
export const interrupted = 130

/** Listens for the first interrupt of a run. */
export interface Interrupt {
  readonly signal: AbortSignal
  /** Stops listening. */
  end(): void
}

/** Returns what ends a run at the first interrupt. The second one ends the process. */
export function listenForInterrupt({ onInterrupt, stderr }: ProcessContext): Interrupt {
  const controller = new AbortController()
  const end = onInterrupt?.(() => {
    stderr.write('interrupted: the request under way is completed; interrupt again to end at once\n')
    controller.abort()
  })
  return { signal: controller.signal, end: () => end?.() }
}

/** Lists what an interrupted run created. */
export function createdLines({ created, target }: Report): string {
  if (created.length === 0) return ''
  const lines = created.map(({ id, name }) => `  ${printable(id)}  ${printable(name)}\n`)
  return `the run created ${plural(created.length, 'animal')} at ${printable(target.baseUrl)}:\n${lines.join('')}`
}
