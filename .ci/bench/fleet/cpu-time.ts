import { readFileSync } from 'node:fs'

/**
 * Returns the CPU time of a process in seconds, with that of its children, also of those that have ended (proc(5), fields 14 to
 * 17 of `stat`, in hundredths of a second on Linux).
 */
export function cpuSecondsOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOf(child), own)
}

/** Returns the resident memory of a process in MiB. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1]) / 1024
}

function childrenOf(pid: number): readonly number[] {
  return read(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((text) => text !== '')
    .map(Number)
}

/** A process that has ended meanwhile has no files: its time is in that of its parent. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
