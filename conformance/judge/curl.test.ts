import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { lacks } from '../../adapters/testing/machine.ts'
import { printable, printableLines } from '../transcript/printable.ts'
import type { SentRequest } from '../transcript/transcript.ts'
import { curl } from './curl.ts'

const get: SentRequest = { method: 'GET', target: '/pets?limit=1', headers: [['accept', 'application/json']] }

/** Returns the words that a POSIX shell splits a command into, with the keys in its environment. */
function splitWords(command: string): readonly string[] {
  const script = `for word in ${command}; do printf '%s\\0' "$word"; done`
  const env = { PET_ADOPTION_API_KEY: 'main $key', PET_ADOPTION_THROTTLE_KEY: "other'key" }
  return execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1)
}

const base = 'https://pets.test/v1'

const hostile = fc.string({
  unit: fc.constantFrom(...'ab-@;&|$`\'"\\(){}[]<>*?!#~^ \n\t\r\u001b\u202e\u0007=%:'),
})

/** Any request, and the words behind the address that curl is to get. */
const requests = fc.tuple(hostile, hostile, hostile).map(([target, value, body]) => ({
  request: { method: 'POST', target: `/${target}`, headers: [['x-name', value]], body } as const,
  words: (shown: (text: string) => string): readonly string[] => [
    shown(`${base}/${target}`),
    '-H',
    value === '' ? 'x-name;' : `x-name: ${shown(value)}`,
    '--data-raw',
    shown(body),
  ],
}))

describe('a curl command for a shell', () => {
  it('has the headers, and for a POST a body', () => {
    assert.equal(curl(base, get, [], 'posix'), `curl -i '${base}/pets?limit=1' -H 'accept: application/json'`)
    const empty = { method: 'POST', target: '/pets', headers: [] } as const
    assert.equal(curl(base, empty, [], 'posix'), `curl -i -X POST '${base}/pets' --data-raw ''`)
  })

  it('has only the named variables', () => {
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
      curl(base, request, ['$TENANT', `\${WORD}`], 'posix'),
      `curl -i '${base}/pets' -H 'x-tenant: '"$TENANT" -H 'x-gate: open '"\${WORD}"'s' -H 'x-other: $TENANTS $HOME'`,
    )
    assert.match(curl(base, request, [], 'posix'), / -H 'x-tenant: \$TENANT' /)
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
    ['the key as the user of Basic', authorized('Basic $PET_ADOPTION_API_KEY:'), ['-u', 'main $key:']],
    ['an empty header', { ...get, headers: [['x-empty', '']] }, ['-H', 'x-empty;']],
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
    it(`passes to curl: ${sentence}`, { skip: lacks.sh }, () => {
      assert.deepEqual(splitWords(curl(base, request, [], 'posix')).slice(-words.length), words)
    })
  }

  it('is split into the intended words', { skip: lacks.sh }, () => {
    fc.assert(
      fc.property(requests, ({ request, words }) => {
        assert.deepEqual(splitWords(curl(base, request, [], 'posix')).slice(-5), words(printableLines))
      }),
      { numRuns: 60 },
    )
  })
})

/** The words that the Command Prompt and then Microsoft's C library make of a command. */
function promptWords(command: string, env: Readonly<Record<string, string>>): readonly string[] {
  // a name that is not set stays, and its second percent sign may begin another
  const line = command.replace(/%(?:([^%]+)%|)/g, (whole) => env[whole.slice(1, -1)] ?? whole)
  let isQuoted = false
  let plain = ''
  for (let n = 0; n < line.length; n++) {
    const character = line[n] ?? ''
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && /[&|<>()]/.test(character)) assert.fail(`${character} is an operator in ${line}`)
    plain += !isQuoted && character === '^' ? line[++n] : character
  }
  const words = ['']
  let isIn = false
  for (let n = 0; n < plain.length; n++) {
    const [, backslashes = ''] = /^(\\*)/.exec(plain.slice(n)) ?? []
    const isBeforeQuote = plain[n + backslashes.length] === '"'
    n += backslashes.length
    const character = plain[n] ?? ''
    let text = isBeforeQuote ? backslashes.slice(backslashes.length / 2) : backslashes + character
    if (isBeforeQuote && isIn && plain[n + 1] === '"') text += plain[++n]
    else if (isBeforeQuote) isIn = !isIn
    if (text === ' ' && !isIn) words.push('')
    else words[words.length - 1] += text
  }
  return words
}

describe('a curl command for the Command Prompt', () => {
  it('runs nothing between two percent signs', () => {
    const headers = [
      ['authorization', 'Bearer $PET_ADOPTION_API_KEY'],
      ['x-tenant', `\${TENANT}, not %TENANT%`],
    ] as const
    const command = curl(base, { ...get, headers }, [`\${TENANT}`], 'cmd')
    const words = promptWords(command, { PET_ADOPTION_API_KEY: 'main', TENANT: 'acme' })
    assert.deepEqual(words.slice(-3), ['authorization: Bearer main', '-H', 'x-tenant: acme, not %TENANT%'])
  })

  it('is split into the intended words', () => {
    fc.assert(
      fc.property(requests, ({ request, words }) => {
        const found = promptWords(curl(base, request, [], 'cmd'), { b: 'never', a: 'never' })
        assert.deepEqual(found.slice(-5), words(printable))
      }),
      { numRuns: 500 },
    )
  })
})
