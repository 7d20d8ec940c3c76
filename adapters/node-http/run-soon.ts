import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * How many tasks run in one turn of the event loop, and for how long, in milliseconds. Node accepts one connection in each
 * turn, so a client waits for as many turns as clients have connected before it.
 */
const tasksPerTurn = 8
const budgetMs = 4

/** Turns from one batch of tasks to the next: those between accept connections, and cost next to nothing. */
const turnsApart = 4

const tasks: (() => void)[] = []
let isScheduled = false

/** Runs a task for a client that requests much in a later turn of the event loop, so that other clients do not wait. */
export function runSoon(task: () => void): void {
  tasks.push(task)
  schedule()
}

function schedule(): void {
  if (isScheduled || tasks.length === 0) return
  isScheduled = true
  runAfter(turnsApart)
}

function runAfter(turns: number): void {
  setImmediate(() => (turns > 1 ? runAfter(turns - 1) : runSome()))
}

function runSome(): void {
  const end = performance.now() + budgetMs
  const some = tasks.splice(0, tasksPerTurn)
  try {
    do some.shift()?.()
    while (some.length > 0 && performance.now() < end)
  } finally {
    tasks.unshift(...some)
    isScheduled = false
    schedule()
  }
}

/**
 * Handles a request at once if its connection has no response before it, else once the system has received all responses
 * before it. So at most one response of a connection waits for a client that does not read.
 */
export function inTurn(
  req: IncomingMessage,
  res: ServerResponse,
  handle: (req: IncomingMessage, res: ServerResponse) => void,
): void {
  // Node gives a response the socket in its turn. Until then the response before it is the socket's message.
  const { _httpMessage } = req.socket as typeof req.socket & { readonly _httpMessage?: object | null } // not declared
  if (res.socket !== null || !_httpMessage) {
    handle(req, res)
    return
  }
  const start = AsyncResource.bind(() => {
    if (!res.headersSent && !res.destroyed) handle(req, res)
  })
  res.once('socket', () => runSoon(start))
}
