import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { formats } from '../report/formats.ts'
import { folder, runProgram, writeFile } from '../testing/program.ts'

const key = 'sk_live+S3cr3t/Key&9=='
const throttleKey = "t'hr0ttle~K3y<7>"
const headerValue = 'G4te/keeper+Pa55word'

const encoders = [(text: string) => text, encodeURIComponent, btoa, (text: string) => text.toUpperCase()]
const secrets = [key, throttleKey, headerValue, btoa(`${key}:`)]
const forbiddenTexts = secrets.flatMap((secret) => encoders.map((encode) => encode(secret).toLowerCase()))

function assertNoSecret(text: string, where: string): void {
  for (const secret of forbiddenTexts)
    assert.ok(!text.toLowerCase().includes(secret), `${where} contains ${secret}`)
}

/** Returns the secrets in a request, in several encodings. */
function listEchoes(request: Request): readonly string[] {
  const token = new URL(request.url).searchParams.get('access_token')
  return [request.headers.get('authorization'), request.headers.get('x-gate'), token]
    .flatMap((text) => (text === null ? [] : [text, text.split(' ').at(-1) ?? '']))
    .flatMap((text) => encoders.map((encode) => encode(text)))
}

/** Deployments that return the secrets they receive. */
const hostileHandlers: Readonly<Record<string, (request: Request) => Response>> = {
  'in bodies that are not JSON': (request) => new Response(listEchoes(request).join(' ')),
  'in animals': (request) =>
    Response.json(
      listEchoes(request).map((name, index) => ({ id: index + 1, name, categoryId: 1, status: name })),
    ),
  'in every value of an Error': (request) => {
    const [first = 'none'] = listEchoes(request).slice(-3)
    return Response.json(
      { code: first, message: listEchoes(request).join(' '), status: first, more: { at: [first] } },
      { status: 400 },
    )
  },
  'in headers': (request) => {
    const echoedText = listEchoes(request).join(' ')
    const names = 'location link sunset deprecation content-type www-authenticate retry-after date'.split(' ')
    const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
    return new Response('[]', {
      status: 401,
      headers: [...names, ...limits].map((name) => [name, echoedText]),
    })
  },
  'in network errors': (request) => {
    throw new TypeError(listEchoes(request).join(' '), { cause: new Error(listEchoes(request).join(' ')) })
  },
}

async function output(argv: readonly string[], handler: (request: Request) => Response): Promise<string> {
  const env = {
    PET_ADOPTION_API_KEY: key,
    PET_ADOPTION_THROTTLE_KEY: throttleKey,
    NO_COLOR: '1',
    GATE: headerValue,
  }
  const { out, err } = await runProgram(argv, { env, isTTY: true, handler })
  return out + err
}

describe('secrets', () => {
  for (const [where, handler] of Object.entries(hostileHandlers)) {
    it(`are redacted ${where}`, async () => {
      const files = Object.keys(formats).map((format) => ({ format, path: join(folder, format) }))
      const reportFlags = files.map(({ format, path }) => `--format=${format}=${path}`)
      const flags = ['--profile=all', '--max-requests=80', '--header=X-Gate: $GATE']
      const commands = {
        'a run': ['http://hostile.test/v1', ...flags],
        judge: ['judge', join(folder, 'json')],
      }
      for (const [name, argv] of Object.entries(commands)) {
        assertNoSecret(await output([...argv, ...reportFlags], handler), `the output of ${name}`)
        for (const { format, path } of files)
          assertNoSecret(readFileSync(path, 'utf8'), `${format} of ${name}`)
      }
      assertNoSecret(await output([...commands['a run'], '--format=pretty'], handler), 'the output')
    })
  }

  it('are redacted in the base URL and in known failures', async () => {
    const echoedKey = encodeURIComponent(key)
    const knownFailuresPath = writeFile('known.json', [{ rule: 'AUTH-1', reason: `seen with ${key}` }])
    const writtenPath = join(folder, 'written.json')
    const url = `http://hostile.test/gate/${echoedKey}/v1`
    const flags = ['--known-failures', knownFailuresPath, '--write-known-failures', writtenPath]
    const reportFlags = Object.keys(formats).map((format) => `--format=${format}=${join(folder, format)}`)
    for (const argv of [
      [url, ...flags, ...reportFlags, '--profile=create'],
      [url, '--dry-run'],
      [url, '--dry-run', '--format=json'],
      ['judge', join(folder, 'json'), '--known-failures', knownFailuresPath, ...reportFlags],
    ]) {
      assertNoSecret(await output(argv, () => Response.json([])), argv.join(' ').replace(echoedKey, ''))
      for (const name of [...Object.keys(formats), 'written.json'])
        assertNoSecret(readFileSync(join(folder, name), 'utf8'), name)
    }
  })
})
