import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { missingFeatures } from '../../adapters/testing/machine.ts'
import { toPrintable, toPrintableLines } from '../transcript/printable.ts'
import type { SentRequest } from '../transcript/transcript.ts'
import { formatCurl } from './curl.ts'

const get: SentRequest = { method: 'GET', target: '/pets?limit=1', headers: [['accept', 'application/json']] }

/** Returns the arguments that `sh` passes to a command. */
function splitWords(command: string): readonly string[] {
  const script = `for word in ${command}; do printf '%s\\0' "$word"; done`
  const env = { PET_ADOPTION_API_KEY: 'main $key', PET_ADOPTION_THROTTLE_KEY: "other'key" }
  return execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1)
}

const base = 'https://pets.test/v1'

const hostileText = fc.string({
  unit: fc.constantFrom(...'ab-@;&|$`\'"\\(){}[]<>*?!#~^ \n\t\r\u001b\u202e\u0007=%:'),
})

/** Requests with hostile text, and the arguments that curl should receive after the URL. */
const hostileRequests = fc.tuple(hostileText, hostileText, hostileText).map(([target, value, body]) => ({
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
  it('contains the URL, the headers and the body', () => {
    assert.equal(
      formatCurl(base, get, [], 'posix'),
      `curl -i '${base}/pets?limit=1' -H 'accept: application/json'`,
    )
    const bodilessRequest = { method: 'POST', target: '/pets', headers: [] } as const
    assert.equal(
      formatCurl(base, bodilessRequest, [], 'posix'),
      `curl -i -X POST '${base}/pets' --data-raw ''`,
    )
  })

  it('sends requests in parallel', () => {
    const command = formatCurl(base, get, [], 'posix', 4)
    assert.match(command, /^curl -i -Z --parallel-immediate 'https:.*\?limit=1#\[1-4\]' -H /)
    const singleCommand = formatCurl('https://[::1]/v1', get, [], 'posix', 4)
    assert.match(singleCommand, /^curl -i -g 'https:.*\?limit=1' -H /)
  })

  it('expands only the variables that it is given', () => {
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
      formatCurl(base, request, ['$TENANT', `\${WORD}`], 'posix'),
      `curl -i '${base}/pets' -H 'x-tenant: '"$TENANT" -H 'x-gate: open '"\${WORD}"'s' -H 'x-other: $TENANTS $HOME'`,
    )
    assert.match(formatCurl(base, request, [], 'posix'), / -H 'x-tenant: \$TENANT' /)
  })

  const createAuthorizedRequest = (authorization: string): SentRequest => ({
    ...get,
    headers: [['authorization', authorization]],
  })
  const createPost = (body: string): SentRequest => ({ ...get, method: 'POST', body })

  const shellCases: readonly (readonly [sentence: string, request: SentRequest, words: readonly string[]])[] =
    [
      [
        'the key in a header',
        createAuthorizedRequest('Bearer $PET_ADOPTION_API_KEY'),
        ['-H', 'authorization: Bearer main $key'],
      ],
      [
        'the throttle key before another character',
        createAuthorizedRequest('Bearer $PET_ADOPTION_THROTTLE_KEY.'),
        ["authorization: Bearer other'key."],
      ],
      [
        'the throttle key in a query',
        { ...get, target: '/pets?access_token=$PET_ADOPTION_THROTTLE_KEY', headers: [] },
        [`${base}/pets?access_token=other'key`],
      ],
      [
        'the key as a Basic user',
        createAuthorizedRequest('Basic $PET_ADOPTION_API_KEY:'),
        ['-u', 'main $key:'],
      ],
      ['an empty header', { ...get, headers: [['x-empty', '']] }, ['-H', 'x-empty;']],
      ...['{"name":"O\'Neil `id` $HOME " \\\\ !"}', '@/etc/passwd', '-x', 'two\nlines', '猫'].map(
        (body) => [`the body ${body}`, createPost(body), ['--data-raw', body]] as const,
      ),
      [
        'no header that curl would read as a file',
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
  for (const [sentence, request, words] of shellCases) {
    it(`passes ${sentence}`, { skip: missingFeatures.sh }, () => {
      assert.deepEqual(splitWords(formatCurl(base, request, [], 'posix')).slice(-words.length), words)
    })
  }

  it('passes any text unchanged', { skip: missingFeatures.sh }, () => {
    fc.assert(
      fc.property(hostileRequests, ({ request, words }) => {
        assert.deepEqual(
          splitWords(formatCurl(base, request, [], 'posix')).slice(-5),
          words(toPrintableLines),
        )
      }),
      { numRuns: 60 },
    )
  })
})

/** Returns the arguments that the Command Prompt and the C runtime pass to curl. */
function splitPromptWords(command: string, env: Readonly<Record<string, string>>): readonly string[] {
  // `%%` does not exist at the prompt, only in batch files.
  const line = command.replace(/%(?:([^%]+)%|)/g, (whole) => env[whole.slice(1, -1)] ?? whole)
  let isQuoted = false
  let plain = ''
  for (let n = 0; n < line.length; n++) {
    const character = line[n] ?? ''
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && /[&|<>()]/.test(character)) assert.fail(`${character} is an operator in ${line}`)
    plain += !isQuoted && character === '^' ? line[++n] : character
  }
  const parsedWords = ['']
  let isIn = false
  for (let n = 0; n < plain.length; n++) {
    const [, backslashes = ''] = /^(\\*)/.exec(plain.slice(n)) ?? []
    const isBeforeQuote = plain[n + backslashes.length] === '"'
    n += backslashes.length
    const character = plain[n] ?? ''
    let text = isBeforeQuote ? backslashes.slice(backslashes.length / 2) : backslashes + character
    if (isBeforeQuote && isIn && plain[n + 1] === '"') text += plain[++n]
    else if (isBeforeQuote) isIn = !isIn
    if (text === ' ' && !isIn) parsedWords.push('')
    else parsedWords[parsedWords.length - 1] += text
  }
  return parsedWords
}

describe('a curl command for the Command Prompt', () => {
  it('expands only the variables that it is given', () => {
    const headers = [
      ['authorization', 'Bearer $PET_ADOPTION_API_KEY'],
      ['x-tenant', `\${TENANT}, not %TENANT%`],
    ] as const
    const command = formatCurl(base, { ...get, headers }, [`\${TENANT}`], 'cmd')
    const commandWords = splitPromptWords(command, { PET_ADOPTION_API_KEY: 'main', TENANT: 'acme' })
    assert.deepEqual(commandWords.slice(-3), [
      'authorization: Bearer main',
      '-H',
      'x-tenant: acme, not %TENANT%',
    ])
  })

  it('passes any text unchanged', () => {
    fc.assert(
      fc.property(hostileRequests, ({ request, words }) => {
        const promptWords = splitPromptWords(formatCurl(base, request, [], 'cmd'), { b: 'never', a: 'never' })
        assert.deepEqual(promptWords.slice(-5), words(toPrintable))
      }),
      { numRuns: 500 },
    )
  })
})
