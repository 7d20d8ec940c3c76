/**
 * How many tasks run in one turn of the event loop, and for how long, in milliseconds. Node accepts one connection in
 * each turn, so a client waits for as many turns as clients have connected before it.
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
  if (!isScheduled) runAfter(turnsApart)
}

function runAfter(turns: number): void {
  isScheduled = true
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
    if (tasks.length > 0) runAfter(turnsApart)
  }
}
