import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Part } from './part.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A systemd that one test file boots in a container, with the programs and the network of this machine. */
export interface PrivateSystemd {
  /** The root of its files. */
  readonly folder: string
  /** Runs a program as its root. Resolves with its output; rejects if it fails. */
  run(command: string, ...args: readonly string[]): Promise<string>
}

const run = promisify(execFile)

/**
 * Boots one, if this is Linux with systemd-nspawn, and the user is root. It is ended when the test file is done.
 *
 * @param files - Its files by path, next to those of `/usr`.
 * @param binds - Paths of this machine by their paths there. They are read-only, except folders below `/run`.
 */
export async function createPrivateSystemd(
  files: Readonly<Record<string, string>>,
  binds: Readonly<Record<string, string>>,
): Promise<Part<PrivateSystemd>> {
  const { error } = spawnSync('systemd-nspawn', ['--version'])
  if (error) return { absent: 'this machine has no systemd-nspawn' }
  if (process.getuid?.() !== 0) return { absent: 'systemd-nspawn is for root' }
  after(end) // before its folder is removed
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'usr'))
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name))
  const always = { '/etc/os-release': readFileSync('/etc/os-release', 'utf8'), '/etc/machine-id': '' }
  for (const [path, text] of Object.entries({ ...always, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: 0o755 })
  }
  const bound = Object.entries({ '/usr': '/usr', ...binds }).map(([there, here]) =>
    there.startsWith('/run/') ? `--bind=${here}:${there}` : `--bind-ro=${here}:${there}`,
  )
  const flags = ['--register=no', '--keep-unit', '--resolv-conf=off', '--timezone=off', '--console=pipe']
  const args = [...flags, `--directory=${folder}`, ...bound, '--boot', '--', '--unit=basic.target']
  const env = { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' }
  const child = spawn('systemd-nspawn', args, { env, stdio: 'ignore' })
  const exited = once(child, 'exit')

  /** Returns the process id of its systemd. All processes of the container end with it, but not with systemd-nspawn. */
  async function findLeader(): Promise<string> {
    const { stdout } = await run('pgrep', ['--parent', String(child.pid)])
    return stdout.trim()
  }

  async function end(): Promise<void> {
    if (child.exitCode === null) process.kill(Number(await findLeader()), 'SIGKILL')
    await exited
  }

  async function runInside(command: string, ...words: readonly string[]): Promise<string> {
    const target = ['--target', await findLeader(), '--mount', '--uts', '--ipc', '--pid', '--cgroup']
    const { stdout } = await run('nsenter', [...target, '--root', '--wd', command, ...words])
    return stdout.trim()
  }

  const hasBooted = () =>
    runInside('systemctl', 'is-active', 'basic.target').then(
      () => true,
      () => false,
    )
  while (!(await hasBooted())) {
    if (child.exitCode !== null)
      return { absent: `this machine boots no systemd: systemd-nspawn ${args.join(' ')}` }
    await setTimeout(100)
  }
  return { value: { folder, run: runInside } }
}
