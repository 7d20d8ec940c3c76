import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { allOf, type Part, testWith } from '../../contracts/testing/part.ts'
import { nodeWithSqlite } from '../../examples/testing/parts.ts'

const inside = fileURLToPath(new URL('../testing/shared-port-namespace.ts', import.meta.url))

/** The command that enters a network namespace, whose settings do not count outside. */
const unshare: Part<readonly string[]> = namespaceCommand()

function namespaceCommand(): Part<readonly string[]> {
  const command = ['unshare', '--net', '--map-root-user']
  try {
    execFileSync(command[0] ?? '', [...command.slice(1), 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'pipe' })
    return { value: command }
  } catch (error) {
    return {
      absent: `this machine creates no network namespaces (unshare of util-linux, ip of iproute2): ${error}`,
    }
  }
}

const test = testWith(allOf(unshare, nodeWithSqlite))

/** Runs the tests of the namespace. Returns their output; rejects with it if one fails. */
async function run(
  [program = '', ...args]: readonly string[],
  node: string,
  setting: 0 | 1,
): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env // so that its exit code says whether a test failed
  const script = `ip link set lo up && echo ${setting} > /proc/sys/net/ipv4/tcp_migrate_req && exec "$@"`
  const command = [
    'sh',
    '-c',
    script,
    'sh',
    process.execPath,
    '--import',
    'tsx',
    '--test-reporter',
    'tap',
    inside,
  ]
  const { stdout } = await promisify(execFile)(program, [...args, ...command], {
    env: { ...env, NODE_OF_SERVERS: node },
  })
  return stdout
}

for (const [setting, title] of [
  [1, 'with net.ipv4.tcp_migrate_req, the end of one of two processes on a port loses no request'],
  [0, 'without net.ipv4.tcp_migrate_req, connections that wait at a process are lost with it'],
] as const) {
  test(title, async (t, [command, node]) => {
    const output = await run(command, node, setting)
    for (const [, line = ''] of output.matchAll(/^# (.*(?:failures|were lost).*)$/gm)) t.diagnostic(line)
    assert.match(output, /^# pass 2$/m)
  })
}
