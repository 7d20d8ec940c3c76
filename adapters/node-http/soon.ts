/**
 * How many tasks run in one turn of the loop, and for how long, in milliseconds. Node accepts one connection in a turn, so
 * a new client waits for as many turns as clients connected before it.
 */
const maxTasks = 8
const budgetMs = 4

const tasks: (() => void)[] = []
let isScheduled = false

/** Runs a task for a client that asks for much in a later turn of the loop, so that other clients are served in between. */
export function soon(task: () => void): void {
  tasks.push(task)
  schedule()
}

function schedule(): void {
  if (isScheduled || tasks.length === 0) return
  isScheduled = true
  setImmediate(runSome)
}

function runSome(): void {
  const end = performance.now() + budgetMs
  const some = tasks.splice(0, maxTasks)
  try {
    do some.shift()?.()
    while (some.length > 0 && performance.now() < end)
  } finally {
    tasks.unshift(...some)
    isScheduled = false
    schedule()
  }
}
