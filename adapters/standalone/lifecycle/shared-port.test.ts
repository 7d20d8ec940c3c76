import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommandLine } from '../cli/command-line.ts'
import { type Configuration, readConfiguration } from '../configuration.ts'
import { checkReusePort, refuseMadeKey, sharedPortWarnings } from './shared-port.ts'

function configure(line: string): Configuration {
  return readConfiguration(readCommandLine(`${line} --data x.sqlite`.trim().split(' '), {}).settings)
}

for (const [line, migrates, ...expected] of [
  ['--metrics', false],
  ['--reuse-port --redis redis://x --metrics-listen [::1]:1', true],
  ['--reuse-port --redis redis://x', true],
  ['--reuse-port', true, /admit N times each limit: give all of them --redis$/],
  ['--reuse-port --redis redis://x --metrics', true, /^\/metrics .* give each of them a --metrics-listen/],
  ['--reuse-port --redis redis://x', false, /set net\.ipv4\.tcp_migrate_req=1 .* \(LISTEN_FDS\)$/],
] as const) {
  test(`the warnings of "${line}" where the system ${migrates ? 'migrates' : 'resets'} connections`, () => {
    const warnings = sharedPortWarnings(configure(line), migrates)
    assert.equal(warnings.length, expected.length, warnings.join('\n'))
    for (const [i, pattern] of expected.entries()) assert.match(warnings[i] ?? '', pattern)
  })
}

test('processes that share a port need a key from elsewhere, and the message says how to issue it', () => {
  refuseMadeKey(configure(''))
  assert.throws(() => refuseMadeKey(configure('--reuse-port')), {
    name: 'StartError',
    message: /keys issue --data x\.sqlite --id NAME --plan PLAN, or give them --keys FILE$/,
  })
})

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const shares = process.platform === 'linux' && (major > 22 || (major === 22 && minor >= 12))

test('where two servers can share a port, --reuse-port works', { skip: !shares && 'this one cannot' }, () =>
  checkReusePort(),
)

test(
  'where they cannot, it stops the start, and the message names other ways',
  {
    skip: shares && 'this one can',
  },
  () =>
    assert.rejects(checkReusePort(), {
      name: 'StartError',
      message:
        /^--reuse-port does not work here: .* a --port of its own behind a proxy, or .* \(LISTEN_FDS\)$/,
    }),
)
