import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { formats } from '../report/formats.ts'
import { folder, program } from '../testing/program.ts'

const key = 'sk_live+S3cr3t/Key&9=='
const throttleKey = "t'hr0ttle~K3y<7>"
/** The value of a header that every request carries. */
const headerValue = 'G4te/keeper+Pa55word'

const bytes = (text: string): Buffer => Buffer.from(text)
const everyCharacter = (text: string, encode: (code: number) => string): string =>
  [...text].map((character) => encode(character.charCodeAt(0))).join('')

/** The ways in which a server may encode what it received. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  upper: (text) => text.toUpperCase(),
  url: (text) => encodeURIComponent(text),
  percent: (text) => everyCharacter(text, (code) => `%${code.toString(16)}`),
  json: (text) => everyCharacter(text, (code) => `\\u00${code.toString(16)}`),
  hex: (text) => bytes(text).toString('hex'),
  base64: (text) => bytes(text).toString('base64'),
  base64url: (text) => bytes(text).toString('base64url'),
}

/** Every run of characters that a decoder accepts, decoded from each of its first four positions. */
function decodedRuns(text: string, run: RegExp, encoding: 'hex' | 'base64'): string {
  return (text.match(run) ?? [])
    .flatMap((part) =>
      [0, 1, 2, 3].map((start) => Buffer.from(part.slice(start), encoding).toString('latin1')),
    )
    .join('\n')
}

/** A text and what it decodes to in each encoding. Independent of the code that removes secrets. */
function readings(text: string): string {
  const decoded = text
    .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/(?:\\)+u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const runs = [
    decodedRuns(text, /[0-9a-f]{8,}/gi, 'hex'),
    decodedRuns(text, /[A-Za-z0-9+/_-]{8,}/g, 'base64'),
  ]
  return [text, decoded, ...runs].join('\n').toLowerCase()
}

function assertNoSecret(text: string, where: string): void {
  const all = readings(text)
  for (const secret of [key, throttleKey, headerValue, btoa(`${key}:`)]) {
    const place = all.indexOf(secret.toLowerCase())
    assert.ok(place < 0, `${where} contains a key: …${all.slice(Math.max(0, place - 40), place + 40)}…`)
  }
}

/** The credentials of a request: in its header, and in its query. */
function credentialsOf(request: Request): readonly string[] {
  const token = new URL(request.url).searchParams.get('access_token')
  return [request.headers.get('authorization'), request.headers.get('x-gate'), token].filter(
    (text) => text !== null,
  )
}

/** Every encoding of the credentials of a request, and of the last word of each. */
function echoes(request: Request): readonly string[] {
  const words = credentialsOf(request).flatMap((text) => [text, text.split(' ').at(-1) ?? ''])
  return words.flatMap((text) => Object.values(encodings).map((encode) => encode(text)))
}

/** Deployments that echo credentials. */
const hostile: Readonly<Record<string, (request: Request) => Response>> = {
  'in bodies that are not JSON': (request) => new Response(echoes(request).join(' ')),
  'in animals': (request) =>
    Response.json(
      echoes(request).map((name, index) => ({ id: index + 1, name, categoryId: 1, status: name })),
    ),
  'in every member of an Error': (request) => {
    const [first = 'none'] = echoes(request).slice(-3)
    return Response.json(
      { code: first, message: echoes(request).join(' '), status: first, [first]: 1 },
      { status: 400 },
    )
  },
  'in headers': (request) => {
    const text = echoes(request).join(' ')
    const names = [
      'location',
      'link',
      'sunset',
      'deprecation',
      'content-type',
      'www-authenticate',
      'retry-after',
    ]
    const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
    return new Response('[]', {
      status: 401,
      headers: [...names, ...limits, 'date'].map((name) => [name, text]),
    })
  },
  'in an error before any response': (request) => {
    throw new TypeError(echoes(request).join(' '), { cause: new Error(echoes(request).join(' ')) })
  },
}

async function output(argv: readonly string[], handler: (request: Request) => Response): Promise<string> {
  const env = {
    PET_ADOPTION_API_KEY: key,
    PET_ADOPTION_THROTTLE_KEY: throttleKey,
    NO_COLOR: '1',
    GATE: headerValue,
  }
  const { out, err } = await program(argv, { env, isTTY: true, handler })
  return out + err
}

describe('secrets', () => {
  it('the search of this test finds a key in every encoding', () => {
    for (const [name, encode] of Object.entries(encodings)) {
      for (const text of [key, `Bearer ${key}`, `Bearer ${throttleKey}`]) {
        assert.throws(() => assertNoSecret(`"${encode(text)}"`, name), /contains a key/, name)
      }
    }
  })

  for (const [where, handler] of Object.entries(hostile)) {
    it(`a key that a deployment echoes ${where} is in no report, transcript or message`, async () => {
      const transcript = join(folder, 'transcript.json')
      const files = Object.keys(formats).map((format) => ({ format, path: join(folder, format) }))
      const reports = files.map(({ format, path }) => `--format=${format}=${path}`)
      const flags = ['--profile=all', '--max-requests=80', '--header=X-Gate: $GATE']
      const commands = {
        'a run': ['http://hostile.test/v1', ...flags, '--save-transcript', transcript],
        judge: ['judge', transcript],
      }
      for (const [name, argv] of Object.entries(commands)) {
        assertNoSecret(await output([...argv, ...reports], handler), `the output of ${name}`)
        for (const { format, path } of files)
          assertNoSecret(readFileSync(path, 'utf8'), `${format} of ${name}`)
      }
      assertNoSecret(await output([...commands['a run'], '--format=pretty'], handler), 'the output')
      assertNoSecret(readFileSync(transcript, 'utf8'), 'the transcript')
    })
  }

  it('a key is neither in a dry run nor in a message about a wrong command line', async () => {
    const handler = (): Response => Response.json([])
    for (const argv of [
      ['http://x/v1', '--profile=all', '--dry-run'],
      ['http://x/v1', `--list=${key}`],
      ['http://x/v1', `--kye=${key}`],
      ['http://x/v1', key],
      [`http://${encodeURIComponent(key)}@x/v1`],
      ['http://x/v1', `--key=${throttleKey}`, '--profile=all'],
      ['http://x/v1', `--key=${key} `],
    ]) {
      assertNoSecret(await output(argv, handler), argv.length.toString())
    }
  })
})
