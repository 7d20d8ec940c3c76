import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkReusePort } from './reuse-port.ts'

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
