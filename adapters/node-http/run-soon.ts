/** Node accepts one connection in each turn of the event loop, so a client waits for as many turns as have connected before it. */
const tasksPerTurn = 8

const tasks: (() => void)[] = []

/** Runs a task for pipelined requests in a later turn of the event loop: few in each, so that other clients do not wait. */
export function runSoon(task: () => void): void {
  if (tasks.push(task) === 1) setImmediate(runSome)
}

function runSome(): void {
  const some = tasks.splice(0, tasksPerTurn)
  if (tasks.length > 0) setImmediate(runSome)
  for (const task of some) task()
}
