import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { formats } from '../report/formats.ts'
import { file, folder, program } from '../testing/program.ts'

const key = 'sk_live+S3cr3t/Key&9=='
const throttleKey = "t'hr0ttle~K3y<7>"
/** The value of a header that every request carries. */
const headerValue = 'G4te/keeper+Pa55word'

/** Codings that a deployment may apply to an echoed secret. The tests of the redactor have the others. */
const codings = [(text: string) => text, encodeURIComponent, btoa, (text: string) => text.toUpperCase()]
const secrets = [key, throttleKey, headerValue, btoa(`${key}:`)]
const forbidden = secrets.flatMap((secret) => codings.map((encode) => encode(secret).toLowerCase()))

function assertNoSecret(text: string, where: string): void {
  for (const secret of forbidden)
    assert.ok(!text.toLowerCase().includes(secret), `${where} contains ${secret}`)
}

/** The credentials of a request, in its headers and in its query, and the last word of each, in every coding. */
function echoes(request: Request): readonly string[] {
  const token = new URL(request.url).searchParams.get('access_token')
  return [request.headers.get('authorization'), request.headers.get('x-gate'), token]
    .flatMap((text) => (text === null ? [] : [text, text.split(' ').at(-1) ?? '']))
    .flatMap((text) => codings.map((encode) => encode(text)))
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
    const names = 'location link sunset deprecation content-type www-authenticate retry-after date'.split(' ')
    const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
    return new Response('[]', {
      status: 401,
      headers: [...names, ...limits].map((name) => [name, text]),
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
  for (const [where, handler] of Object.entries(hostile)) {
    it(`are in no output if a deployment echoes them ${where}`, async () => {
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

  it('are in no output if the base URL or a reason has them', async () => {
    const echoed = encodeURIComponent(key)
    const known = file('known.json', [{ rule: 'AUTH-1', reason: `seen with ${key}` }])
    const written = join(folder, 'written.json')
    const transcript = join(folder, 'transcript.json')
    const url = `http://hostile.test/gate/${echoed}/v1`
    const flags = ['--known-failures', known, '--write-known-failures', written]
    const reports = Object.keys(formats).map((format) => `--format=${format}=${join(folder, format)}`)
    for (const argv of [
      [url, ...flags, ...reports, '--profile=create', '--save-transcript', transcript],
      [url, '--dry-run'],
      [url, '--dry-run', '--format=json'],
      ['judge', transcript, '--known-failures', known, ...reports],
    ]) {
      assertNoSecret(await output(argv, () => Response.json([])), argv.join(' ').replace(echoed, ''))
      for (const name of [...Object.keys(formats), 'written.json', 'transcript.json'])
        assertNoSecret(readFileSync(join(folder, name), 'utf8'), name)
    }
  })
})
