import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { curl } from './curl.ts'
import { printableLines } from './report/printable.ts'
import type { SentRequest } from './transcript/transcript.ts'

const get: SentRequest = { method: 'GET', target: '/pets?limit=1', headers: [['accept', 'application/json']] }

/** The words that a POSIX shell makes of a command, with the keys in its environment. */
function wordsOf(command: string): readonly string[] {
  const script = `for word in ${command}; do printf '%s\\0' "$word"; done`
  const env = { PET_ADOPTION_API_KEY: 'main $key', PET_ADOPTION_THROTTLE_KEY: "other'key" }
  return execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1)
}

test('a GET is shown with its headers', () => {
  assert.equal(
    curl('https://pets.test/v1', get),
    "curl -i 'https://pets.test/v1/pets?limit=1' -H 'accept: application/json'",
  )
})

test('the key is put in by the shell', () => {
  const keyed: SentRequest = { ...get, headers: [['authorization', 'Bearer $PET_ADOPTION_API_KEY']] }
  const command = curl('https://pets.test/v1', keyed)
  assert.match(command, /-H 'authorization: Bearer '"\$PET_ADOPTION_API_KEY"$/)
  assert.deepEqual(wordsOf(command).slice(-2), ['-H', 'authorization: Bearer main $key'])
})

test('so is the throttle key, in a query as well', () => {
  const target = '/pets?access_token=$PET_ADOPTION_THROTTLE_KEY'
  assert.deepEqual(wordsOf(curl('https://pets.test/v1', { ...get, target })).slice(2, 3), [
    "https://pets.test/v1/pets?access_token=other'key",
  ])
})

test('a body reaches curl character for character, whatever stands in it', () => {
  for (const body of ['{"name":"O\'Neil `id` $HOME \\" \\\\ !"}', '@/etc/passwd', '-x', 'two\nlines', '猫']) {
    const words = wordsOf(curl('https://pets.test/v1', { ...get, method: 'POST', body }))
    assert.deepEqual(words.slice(-2), ['--data-raw', body])
  }
})

test('a POST without a body sends an empty one', () => {
  assert.deepEqual(wordsOf(curl('https://pets.test/v1', { ...get, method: 'POST' })).slice(-2), [
    '--data-raw',
    '',
  ])
})

test('an empty header is one that curl sends', () => {
  const words = wordsOf(curl('https://pets.test/v1', { ...get, headers: [['x-empty', '']] }))
  assert.deepEqual(words.slice(-2), ['-H', 'x-empty;'])
})

const base = 'https://pets.test/v1'

test('a method of somebody else’s transcript is a word and no command', () => {
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

test('whatever stands in a transcript, the shell makes the same words of it', () => {
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

test('curl reads no file for a header, and makes no set of addresses of one', () => {
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
