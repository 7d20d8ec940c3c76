import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Resource } from './resource.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** A container that runs systemd, with this machine's programs and network. */
export interface PrivateSystemd {
  /** The container's root folder. */
  readonly folder: string
  /** Runs a command in the container as root, and returns its output. Rejects if the command fails. */
  run(command: string, ...args: readonly string[]): Promise<string>
}

const runFile = promisify(execFile)

/**
 * Boots systemd in a container, and stops it after the tests.
 *
 * @param files - Files to create in the container, by path.
 * @param binds - Paths on this machine to mount, by their path in the container. Paths below `/run/` are writable.
 */
export async function createPrivateSystemd(
  files: Readonly<Record<string, string>>,
  binds: Readonly<Record<string, string>>,
): Promise<Resource<PrivateSystemd>> {
  const { error } = spawnSync('systemd-nspawn', ['--version'])
  if (error) return { absent: 'systemd-nspawn is not installed' }
  if (process.getuid?.() !== 0) return { absent: 'systemd-nspawn requires root' }
  after(stop) // must run before the folder is removed
  const folder = createTemporaryFolder()
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'usr'))
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name))
  const commonFiles = { '/etc/os-release': readFileSync('/etc/os-release', 'utf8'), '/etc/machine-id': '' }
  for (const [path, text] of Object.entries({ ...commonFiles, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: 0o755 })
  }
  const bindFlags = Object.entries({ '/usr': '/usr', ...binds }).map(([there, here]) =>
    there.startsWith('/run/') ? `--bind=${here}:${there}` : `--bind-ro=${here}:${there}`,
  )
  const flags = ['--register=no', '--keep-unit', '--resolv-conf=off', '--timezone=off', '--console=pipe']
  const args = [...flags, `--directory=${folder}`, ...bindFlags, '--boot', '--', '--unit=basic.target']
  const env = { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' }
  const child = spawn('systemd-nspawn', args, { env, stdio: 'ignore' })
  const childExit = once(child, 'exit')

  /**
   * Returns systemd's process id in the container. Killing it stops the whole container, unlike killing systemd-nspawn.
   */
  async function findLeader(): Promise<string> {
    const { stdout } = await runFile('pgrep', ['--parent', String(child.pid)])
    return stdout.trim()
  }

  async function stop(): Promise<void> {
    if (child.exitCode === null) process.kill(Number(await findLeader()), 'SIGKILL')
    await childExit
  }

  async function runInside(command: string, ...words: readonly string[]): Promise<string> {
    const target = ['--target', await findLeader(), '--mount', '--uts', '--ipc', '--pid', '--cgroup']
    const { stdout } = await runFile('nsenter', [...target, '--root', '--wd', command, ...words])
    return stdout.trim()
  }

  const hasBooted = () =>
    runInside('systemctl', 'is-active', 'basic.target').then(
      () => true,
      () => false,
    )
  while (!(await hasBooted())) {
    if (child.exitCode !== null) return { absent: `cannot boot systemd: systemd-nspawn ${args.join(' ')}` }
    await setTimeout(100)
  }
  return { value: { folder, run: runInside } }
}
