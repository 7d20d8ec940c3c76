// Features that this machine may lack. Skip a test without them: `{ skip: missingFeatures.bash }`.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'

const canRun = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0

/** Runs an action in a temporary folder, and returns whether it succeeds. */
function succeeds(action: (folder: string) => boolean): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'))
  try {
    return action(folder)
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function storesFileModes(folder: string): boolean {
  const path = join(folder, 'file')
  closeSync(openSync(path, 'w', 0o600))
  return (statSync(path).mode & 0o777) === 0o600
}

const isWindows = process.platform === 'win32'
const missingShell = !canRun('/bin/sh', '-c', 'exit 0') && '/bin/sh is missing'
const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])

type Feature =
  | 'bash'
  | 'sh'
  | 'signals'
  | 'unixSockets'
  | 'fastAccept'
  | 'readAfterReset'
  | 'modes'
  | 'pidNamespaces'
  | 'pipes'
  | 'ipv6'
  | 'proc'

/** Why a feature is missing, or `false` if this machine has it. */
export const missingFeatures: Readonly<Record<Feature, string | false>> = {
  bash: missingShell || (!canRun('bash', '-c', 'exit 0') && 'bash is not installed'),
  sh: missingShell,
  signals: isWindows && 'signals cannot be handled on Windows',
  fastAccept:
    process.env.PET_ADOPTION_TEST_WINE === '1' && 'Wine accepts network connections in a separate process',
  unixSockets: isWindows && 'Node.js has no Unix sockets on Windows',
  readAfterReset: isWindows && 'Windows discards unread data when a connection is reset',
  modes: !succeeds(storesFileModes) && 'the file system does not store permission modes',
  pipes: !succeeds((folder) => canRun('mkfifo', join(folder, 'pipe'))) && 'named pipes are not supported',
  pidNamespaces:
    !canRun('unshare', '--user', '--map-root-user', '--pid', '--fork', 'true') &&
    'PID namespaces are not available',
  ipv6: !addresses.some(({ address }) => address === '::1') && 'this machine has no IPv6 loopback address',
  proc: !existsSync('/proc/self/limits') && 'this machine has no /proc file system',
}
