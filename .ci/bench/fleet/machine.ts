import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import type { Machine } from './figures.ts'
import { round } from './measure-cell.ts'

/** Describes this machine, without its name or model, before a run. */
export function machine(): Machine {
  const [, megahertz] = /^cpu MHz\s*: ([\d.]+)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? []
  return {
    cores: cpus().length,
    gigahertz: Number(megahertz ?? cpus()[0]?.speed) / 1_000,
    otherLoad: round(loadavg()[0] ?? 0),
  }
}
