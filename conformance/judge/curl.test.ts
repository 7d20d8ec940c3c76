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

const base = 'https://pets.test/v1'

const lines: readonly (readonly [sentence: string, request: SentRequest, line: string])[] = [
  ['a GET has its headers', get, `curl -i '${base}/pets?limit=1' -H 'accept: application/json'`],
  ['a HEAD', { method: 'HEAD', target: '/pets', headers: [] }, `curl -i -I '${base}/pets'`],
  ['a DELETE', { method: 'DELETE', target: '/pets', headers: [] }, `curl -i -X DELETE '${base}/pets'`],
  [
    'a POST without a body sends an empty one',
    { method: 'POST', target: '/pets', headers: [] },
    `curl -i -X POST '${base}/pets' --data-raw ''`,
  ],
]
for (const [sentence, request, line] of lines) {
  test(`the curl command of ${sentence}`, () => assert.equal(curl(base, request), line))
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
    curl(base, request, ['$TENANT', `\${WORD}`]),
    `curl -i '${base}/pets' -H 'x-tenant: '"$TENANT" -H 'x-gate: open '"\${WORD}"'s' -H 'x-other: $TENANTS $HOME'`,
  )
  assert.match(curl(base, request), / -H 'x-tenant: \$TENANT' /)
})

const authorized = (authorization: string): SentRequest => ({
  ...get,
  headers: [['authorization', authorization]],
})
const post = (body: string): SentRequest => ({ ...get, method: 'POST', body })

/** Requests, and the last words of the command that the shell makes of them. */
const inShell: readonly (readonly [sentence: string, request: SentRequest, words: readonly string[]])[] = [
  [
    'the key in a header',
    authorized('Bearer $PET_ADOPTION_API_KEY'),
    ['-H', 'authorization: Bearer main $key'],
  ],
  [
    'the throttle key before another character',
    authorized('Bearer $PET_ADOPTION_THROTTLE_KEY.'),
    ["authorization: Bearer other'key."],
  ],
  [
    'the throttle key in a query',
    { ...get, target: '/pets?access_token=$PET_ADOPTION_THROTTLE_KEY', headers: [] },
    [`${base}/pets?access_token=other'key`],
  ],
  [
    'a method that would be a command',
    { ...get, method: '"$PET_ADOPTION_API_KEY"; id' },
    ['-X', '"main $key"; id', `${base}/pets?limit=1`, '-H', 'accept: application/json'],
  ],
  ['the key as the user of Basic', authorized('Basic $PET_ADOPTION_API_KEY:'), ['-u', 'main $key:']],
  ['an empty header', { ...get, headers: [['x-empty', '']] }, ['-H', 'x-empty;']],
  ['no body of a POST', { ...get, method: 'POST' }, ['--data-raw', '']],
  ...['{"name":"O\'Neil `id` $HOME " \\\\ !"}', '@/etc/passwd', '-x', 'two\nlines', '猫'].map(
    (body) => [`the body ${body}`, post(body), ['--data-raw', body]] as const,
  ),
  [
    'no file for a header, and no braces of an address',
    {
      method: 'GET',
      target: '/pets/[1-1000000]',
      headers: [
        ['@/etc/passwd', ''],
        ['a b', 'c'],
        ['accept', '@x'],
      ],
    },
    ['curl', '-i', '-g', `${base}/pets/[1-1000000]`, '-H', 'accept: @x'],
  ],
]
for (const [sentence, request, words] of inShell) {
  test(`the shell hands to curl: ${sentence}`, { skip: lacks.sh }, () => {
    assert.deepEqual(wordsOf(curl(base, request)).slice(-words.length), words)
  })
}

test('an address that begins with a hyphen is an address and no option', { skip: lacks.sh }, () => {
  const words = wordsOf(curl('-o', { method: 'GET', target: '/x', headers: [] }))
  assert.deepEqual(words, ['curl', '-i', '--url', '-o/x'])
})

const hostile = fc.string({
  unit: fc.constantFrom(...'ab-@;&|$`\'"\\(){}[]<>*?!#~^ \n\t\r\u001b\u202e\u0007=%:'),
})

test('the shell splits a curl command of any transcript into the intended words', { skip: lacks.sh }, () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (method, target, value, body) => {
      const words = wordsOf(curl(base, { method, target, headers: [['x-name', value]], body }))
      const globs = words[2] === '-g' ? 1 : 0
      assert.equal(words.length, 9 + globs)
      assert.equal(words[3 + globs], printableLines(method))
      for (const word of words) assert.equal(word, printableLines(word))
    }),
    { numRuns: 60 },
  )
})
