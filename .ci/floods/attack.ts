import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Order, Outcome, Report } from './flood-process.ts'
import type { FloodName } from './floods.ts'
import type { Target } from './target.ts'

/** A flood that runs in a separate process. */
export interface Attack {
  /** Creates on the server what the flood needs. */
  prepare(target: Target): Promise<void>
  start(): Promise<void>
  /** Closes all connections. Resolves with the outcome. */
  stop(): Promise<Outcome>
  /** Ends the process at any time. */
  end(): void
}

/** Starts the process of a flood. The methods of the result reject where the flood fails. */
export function createAttack(flood: FloodName): Attack {
  const child = fork(fileURLToPath(new URL('flood-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  if (child.pid !== undefined) setPriority(child.pid, 10) // leaves the processor to the server
  const ended = once(child, 'exit')
  const endedEarly = ended.then(() => Promise.reject(new Error('its process has ended')))
  endedEarly.catch(() => {}) // the process also ends while no order is under way

  async function carryOut(order: Order): Promise<Report> {
    child.send(order)
    const [report]: [Report] = await Promise.race([once(child, 'message') as Promise<[Report]>, endedEarly]) // the process sends reports only
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
