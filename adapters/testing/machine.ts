// What tests need of a machine beyond Node: `{ skip: lacks.sh }`.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'

const runs = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0

/** Returns true if an action on files works, in a folder that is removed afterwards. */
function works(action: (folder: string) => boolean): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'))
  try {
    return action(folder)
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function keepsModes(folder: string): boolean {
  const path = join(folder, 'file')
  closeSync(openSync(path, 'w', 0o600))
  return (statSync(path).mode & 0o777) === 0o600
}

const isWindows = process.platform === 'win32'
const noShell = !runs('/bin/sh', '-c', 'exit 0') && 'this machine has no /bin/sh'
const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])

type Need =
  | 'bash'
  | 'sh'
  | 'signals'
  | 'unixSockets'
  | 'swiftAccept'
  | 'readAfterReset'
  | 'modes'
  | 'pipes'
  | 'ipv6'
  | 'proc'

/** The reason to skip a test that needs something, or false. */
export const lacks: Readonly<Record<Need, string | false>> = {
  bash: noShell || (!runs('bash', '-c', 'exit 0') && 'this machine has no bash'),
  sh: noShell,
  signals: isWindows && 'a signal ends a process immediately on this system',
  swiftAccept:
    process.env.PET_ADOPTION_TEST_WINE === '1' && 'Wine asks another process to accept a connection',
  unixSockets: isWindows && 'Node has no Unix sockets on this system',
  readAfterReset: isWindows && 'a reset discards on this system what its receiver has not read',
  modes: !works(keepsModes) && 'files have no modes on this system',
  pipes: !works((folder) => runs('mkfifo', join(folder, 'pipe'))) && 'this machine has no mkfifo',
  ipv6: !addresses.some(({ address }) => address === '::1') && 'this machine has no IPv6 loopback',
  proc: !existsSync('/proc/self/limits') && 'this system has no /proc',
}
