import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { lacks } from '../../adapters/testing/machine.ts'
import { printableLines } from '../transcript/printable.ts'
import type { SentRequest } from '../transcript/transcript.ts'
import { curl } from './curl.ts'

const get: SentRequest = { method: 'GET', target: '/pets?limit=1', headers: [['accept', 'application/json']] }

/** The words that a POSIX shell makes of a command, with the keys in its environment. */
function wordsOf(command: string): readonly string[] {
  const script = `for word in ${command}; do printf '%s\\0' "$word"; done`
  const env = { PET_ADOPTION_API_KEY: 'main $key', PET_ADOPTION_THROTTLE_KEY: "other'key" }
  return execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1)
}

test('variables that are named take their place in the command, others are only shown', () => {
  const request = {
    method: 'GET',
    target: '/pets',
    headers: [
      ['x-tenant', '$TENANT'],
      ['x-gate', `open \${WORD}s`],
      ['x-other', '$TENANTS $HOME'],
    ],
  } as const
  assert.equal(
    curl('https://pets.test/v1', request, ['$TENANT', `\${WORD}`]),
    `curl -i 'https://pets.test/v1/pets' -H 'x-tenant: '"$TENANT" -H 'x-gate: open '"\${WORD}"'s' -H 'x-other: $TENANTS $HOME'`,
  )
  assert.match(curl('https://pets.test/v1', request), / -H 'x-tenant: \$TENANT' /)
})

test('the curl command of a GET has its headers', () => {
  assert.equal(
    curl('https://pets.test/v1', get),
    "curl -i 'https://pets.test/v1/pets?limit=1' -H 'accept: application/json'",
  )
})

for (const [method, line] of [
  ['HEAD', "curl -i -I 'https://pets.test/v1/pets'"],
  ['DELETE', "curl -i -X DELETE 'https://pets.test/v1/pets'"],
  ['POST', "curl -i -X POST 'https://pets.test/v1/pets' --data-raw ''"],
] as const) {
  test(`the curl command of a ${method} without a body`, () => {
    assert.equal(curl('https://pets.test/v1', { method, target: '/pets', headers: [] }), line)
  })
}

test('the shell inserts the key into a curl command', { skip: lacks.sh }, () => {
  const keyed: SentRequest = { ...get, headers: [['authorization', 'Bearer $PET_ADOPTION_API_KEY']] }
  const command = curl('https://pets.test/v1', keyed)
  assert.match(command, /-H 'authorization: Bearer '"\$PET_ADOPTION_API_KEY"$/)
  assert.deepEqual(wordsOf(command).slice(-2), ['-H', 'authorization: Bearer main $key'])
})

test('the shell inserts the throttle key into a curl command, also in a query', { skip: lacks.sh }, () => {
  const target = '/pets?access_token=$PET_ADOPTION_THROTTLE_KEY'
  assert.deepEqual(wordsOf(curl('https://pets.test/v1', { ...get, target })).slice(2, 3), [
    "https://pets.test/v1/pets?access_token=other'key",
  ])
})

test('the curl command of the scheme Basic has the key as the user', { skip: lacks.sh }, () => {
  const basic: SentRequest = { ...get, headers: [['authorization', 'Basic $PET_ADOPTION_API_KEY:']] }
  assert.deepEqual(wordsOf(curl('https://pets.test/v1', basic)).slice(-2), ['-u', 'main $key:'])
})

test('the shell inserts the throttle key before another character', { skip: lacks.sh }, () => {
  const longer: SentRequest = { ...get, headers: [['authorization', 'Bearer $PET_ADOPTION_THROTTLE_KEY.']] }
  assert.deepEqual(wordsOf(curl('https://pets.test/v1', longer)).slice(-1), [
    "authorization: Bearer other'key.",
  ])
})

test('curl sends every body character for character', { skip: lacks.sh }, () => {
  for (const body of ['{"name":"O\'Neil `id` $HOME \\" \\\\ !"}', '@/etc/passwd', '-x', 'two\nlines', '猫']) {
    const words = wordsOf(curl('https://pets.test/v1', { ...get, method: 'POST', body }))
    assert.deepEqual(words.slice(-2), ['--data-raw', body])
  }
})

test('the curl command of a POST without a body sends an empty one', { skip: lacks.sh }, () => {
  assert.deepEqual(wordsOf(curl('https://pets.test/v1', { ...get, method: 'POST' })).slice(-2), [
    '--data-raw',
    '',
  ])
})

test('the curl command of an empty header sends it', { skip: lacks.sh }, () => {
  const words = wordsOf(curl('https://pets.test/v1', { ...get, headers: [['x-empty', '']] }))
  assert.deepEqual(words.slice(-2), ['-H', 'x-empty;'])
})

const base = 'https://pets.test/v1'

test('a method in a foreign transcript is an argument and not a command', { skip: lacks.sh }, () => {
  for (const method of [
    'GET;id',
    '$(id)',
    '`id`',
    "'; id; '",
    '-o',
    'POST\nid',
    '"$PET_ADOPTION_API_KEY"; id',
  ]) {
    const words = wordsOf(curl(base, { ...get, method }))
    assert.equal(
      words[words.indexOf('-X') + 1]?.replaceAll('\n', ''),
      method.replaceAll('\n', '').replace('$PET_ADOPTION_API_KEY', 'main $key'),
    )
    assert.equal(words.filter((word) => word === 'id').length, 0)
  }
})

test('the shell splits a curl command of any transcript into the intended words', { skip: lacks.sh }, () => {
  const text = fc.string({
    unit: fc.constantFrom(...'ab-@;&|$`\'"\\(){}[]<>*?!#~ \n\t\r\u001b\u202e\u0007=%:'),
  })
  fc.assert(
    fc.property(text, text, text, text, (method, target, value, body) => {
      const words = wordsOf(curl(base, { method, target, headers: [['x-name', value]], body }))
      const expected = method === 'GET' ? 5 : 9
      const globs = words[2] === '-g' ? 1 : 0
      assert.equal(words.length, expected + globs)
      for (const word of words) assert.equal(word, printableLines(word))
    }),
    { numRuns: 60 },
  )
})

test('curl reads no file for a header, and expands no braces in an address', { skip: lacks.sh }, () => {
  const headers = [
    ['@/etc/passwd', ''],
    ['a b', 'c'],
    ['accept', '@x'],
  ] as const
  const words = wordsOf(curl(base, { ...get, target: '/pets/[1-1000000]', headers }))
  assert.deepEqual(words, ['curl', '-i', '-g', `${base}/pets/[1-1000000]`, '-H', 'accept: @x'])
  assert.deepEqual(wordsOf(curl('-o', { ...get, target: '/x', headers: [] })), [
    'curl',
    '-i',
    '--url',
    '-o/x',
  ])
})
