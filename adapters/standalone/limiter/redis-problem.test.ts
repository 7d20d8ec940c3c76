import assert from 'node:assert/strict'
import { test } from 'node:test'
import { causeOf, isConfiguration, type RedisCause } from './redis-problem.ts'

/** Errors of Redis 7, of its driver and of this program. */
const errors: readonly (readonly [RedisCause, string])[] = [
  ['password', 'WRONGPASS invalid username-password pair or user is disabled.'],
  ['password', 'NOAUTH Authentication required.'],
  ['permission', "ERR The user executing the script can't run this command or subcommand"],
  ['permission', "NOPERM this user has no permissions to run the 'evalsha' command"],
  ['certificate', 'self-signed certificate in certificate chain'],
  [
    'certificate',
    "Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list: ",
  ],
  ['address', 'ERR DB index is out of range'],
  ['address', 'ERR This instance has cluster support disabled'],
  ['replica', "READONLY You can't write against a read only replica. script: 1, on @user_script:1."],
  ['cluster', 'MOVED 9443 127.0.0.1:7001'],
  ['slots', 'CLUSTERDOWN The cluster is down'],
  ['memory', "OOM command not allowed when used memory > 'maxmemory'."],
  ['busy', 'LOADING Redis is loading the dataset in memory'],
  ['silent', 'Redis did not respond within 100 ms'],
  ['unreachable', 'connect ECONNREFUSED 127.0.0.1:6379'],
  ['unreachable', 'The client is offline'],
  ['unreachable', 'Socket closed unexpectedly'],
  ['other', 'ERR value is not an integer or out of range'],
]

for (const [cause, message] of errors)
  test(`${message.slice(0, 40)} is of the cause ${cause}`, () => {
    assert.equal(causeOf(new Error(message)), cause)
  })

test('an error of several addresses has its cause in its code', () => {
  assert.equal(causeOf(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })), 'unreachable')
})

test('only what no waiting repairs is a configuration', () => {
  const settled = errors.filter(([, message]) => isConfiguration(new Error(message))).map(([cause]) => cause)
  assert.deepEqual(
    [...new Set(settled)],
    ['password', 'permission', 'certificate', 'address', 'replica', 'cluster'],
  )
})
