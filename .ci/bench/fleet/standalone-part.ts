import { fileURLToPath } from 'node:url'
import { startChild } from './child.ts'
import { cpuSecondsOf, memoryOf } from './cpu-time.ts'
import type { Endings } from './endings.ts'

/** One standalone server of the fleet. */
export interface StandalonePart {
  readonly port: number
  /** From the start of the process until it listens, in milliseconds. */
  readonly startMs: number
  cpuSeconds(): number
  /** Returns its resident memory in MiB. */
  memory(): number
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../../dist/adapters/standalone/main.js', import.meta.url))

/** Starts a server of the build, which logs every request, with further flags. */
export async function startStandalone(flags: readonly string[], endings: Endings): Promise<StandalonePart> {
  const begin = performance.now()
  const command = [process.execPath, program, '--port', '0', '--log', 'json', ...flags]
  const ready = /"event":"listening","url":"http:\/\/127\.0\.0\.1:(\d+)\//
  const { pid, announced, stop } = await startChild(command, { ready, signal: 'SIGKILL' }, endings)
  const startMs = performance.now() - begin
  return {
    port: Number(announced[1]),
    startMs,
    cpuSeconds: () => cpuSecondsOf(pid),
    memory: () => memoryOf(pid),
    stop,
  }
}
