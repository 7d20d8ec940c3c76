import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Order, Outcome, Report } from './flood-process.ts'
import type { FloodName } from './floods.ts'
import type { Target } from './target.ts'

/** A flood, in a process of its own. */
export interface Attack {
  /** Has the server hold what the flood needs. */
  prepare(target: Target): Promise<void>
  start(): Promise<void>
  /** Closes all its connections. Resolves with what it did. */
  stop(): Promise<Outcome>
  /** Ends the process, whatever it does. */
  end(): void
}

/** Starts the process of a flood. What it returns rejects where the flood fails. */
export function createAttack(flood: FloodName): Attack {
  const child = fork(fileURLToPath(new URL('flood-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  if (child.pid !== undefined) setPriority(child.pid, 10) // an attacker takes no processor time from the server
  const ended = once(child, 'exit')
  const endedEarly = ended.then(() => Promise.reject(new Error('its process has ended')))
  endedEarly.catch(() => {}) // it ends some time, also when nobody waits for it

  async function carryOut(order: Order): Promise<Report> {
    child.send(order)
    const [report]: [Report] = await Promise.race([once(child, 'message') as Promise<[Report]>, endedEarly]) // it sends no other
    if (report.failure !== undefined) throw new Error(`the flood ${flood} failed: ${report.failure}`)
    return report
  }
  return {
    prepare: async (target) => void (await carryOut({ do: 'prepare', flood, target })),
    start: async () => void (await carryOut({ do: 'start' })),
    async stop() {
      const { traffic, violations } = await carryOut({ do: 'stop' })
      await ended
      if (!traffic || !violations) throw new Error(`the flood ${flood} has no outcome`)
      return { traffic, violations }
    },
    end: () => void child.kill('SIGKILL'),
  }
}
