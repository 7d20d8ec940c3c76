import process from 'node:process'

/** Milliseconds of processor time of all threads since then; other processes do not count. */
export function processorTime(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
