import type { PostgresResult } from '../../../postgres.ts'
import type { Connection } from '../connection.ts'

/** A statement that a fake server has received. */
export interface ReceivedStatement {
  readonly text: string
  respond(result?: PostgresResult): void
  fail(cause: Error): void
}

/** A server without sockets, which does what a test tells it. */
export interface FakeServer {
  /** How many connections it has, and the most that it has had at once. */
  readonly count: number
  readonly most: number
  /** The statements without a response, in the order of their arrival. */
  readonly statements: readonly ReceivedStatement[]
  /** Whether it responds to the statement that shows whether it accepts changes, and how. */
  role: 'primary' | 'standby' | 'gone'
  /** Whether a request to cancel reaches it, and ends the statement. */
  cancels: 'reached' | 'ended' | 'unreachable'
  /** How many requests to cancel were sent to it. */
  readonly cancelRequests: number
  connect(onLost: (cause: Error) => void): Connection
  /** Breaks all connections. */
  crash(): void
}

export function createFakeServer(role: FakeServer['role'] = 'primary'): FakeServer {
  const connections = new Set<() => void>()
  const statements: ReceivedStatement[] = []
  let most = 0
  let cancelRequests = 0

  function connect(onLost: (cause: Error) => void): Connection {
    let close = () => {}
    const closed = new Promise<void>((resolve) => {
      close = resolve
    })
    let current: ReceivedStatement | undefined
    let statement: Promise<unknown> = Promise.resolve()

    function leave(): void {
      connections.delete(lose)
      close()
    }
    function lose(): void {
      const cause = new Error('Connection terminated unexpectedly')
      current?.fail(cause)
      onLost(cause)
      leave()
    }

    const isGone = server.role === 'gone'
    if (isGone) close()
    else connections.add(lose)
    most = Math.max(most, connections.size)

    function query(text: string): Promise<PostgresResult> {
      if (text.includes('transaction_read_only'))
        return Promise.resolve([{ readOnly: server.role === 'primary' ? 'off' : 'on' }])
      const result = new Promise<PostgresResult>((resolve, reject) => {
        const received: ReceivedStatement = {
          text,
          respond: (rows = []) => settle(() => resolve(rows)),
          fail: (cause) => settle(() => reject(cause)),
        }
        const settle = (act: () => void) => {
          const index = statements.indexOf(received)
          if (index >= 0) statements.splice(index, 1)
          current = undefined
          act()
        }
        current = received
        statements.push(received)
      })
      statement = result.catch(() => {})
      return result
    }

    return {
      opened: isGone ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve(),
      closed,
      query,
      async cancel() {
        cancelRequests++
        if (server.cancels === 'unreachable') return false
        if (server.cancels === 'ended') current?.fail(new Error('canceling statement due to user request'))
        return true
      },
      end: () => void statement.then(leave),
      break: leave,
    }
  }

  const server: FakeServer = {
    get count() {
      return connections.size
    },
    get most() {
      return most
    },
    get cancelRequests() {
      return cancelRequests
    },
    statements,
    role,
    cancels: 'ended',
    connect,
    crash() {
      for (const lose of [...connections]) lose()
    },
  }
  return server
}
