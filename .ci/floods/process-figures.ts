import { readFileSync } from 'node:fs'

/** Resident memory now and at its highest, in MiB. */
export interface Memory {
  readonly now: number
  readonly peak: number
}

/** Returns the memory of a process (proc_pid_status(5)); undefined once it has ended, or where the system does not report it. */
export function memoryOf(pid: number): Memory | undefined {
  const status = read(pid, 'status') // in kB
  const mebibytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
  const now = mebibytes('VmRSS')
  return Number.isNaN(now) ? undefined : { now, peak: mebibytes('VmHWM') }
}

/** Returns how long the main thread of a process has waited for a core, in milliseconds; 0 where that is not reported. */
export function waitedBy(pid: number): number {
  const [, nanoseconds = 0] = read(pid, 'schedstat').split(' ')
  return Number(nanoseconds) / 1e6
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
