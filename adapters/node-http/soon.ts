/** So few, since Node accepts one connection in a turn of the loop: a client waits for as many turns as connected before it. */
const tasksPerLoop = 8

const tasks: (() => void)[] = []

/** Runs a task for pipelined requests in a later turn of the loop: few in one, so that other clients are not kept waiting. */
export function soon(task: () => void): void {
  if (tasks.push(task) === 1) setImmediate(runSome)
}

function runSome(): void {
  const some = tasks.splice(0, tasksPerLoop)
  if (tasks.length > 0) setImmediate(runSome)
  for (const task of some) task()
}
