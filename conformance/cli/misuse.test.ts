import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { clientPair, serverPair } from '../testing/certificates.ts'
import { mainKey } from '../testing/deployments/world.ts'
import { baseUrl, folder, runProgram, writeFile } from '../testing/program.ts'

type Row = readonly [argv: readonly string[], message: RegExp, env?: Readonly<Record<string, string>>]

function testRejections(what: string, rows: readonly Row[]): void {
  describe(what, () => {
    for (const [argv, message, env] of rows) {
      it(`is rejected with: ${message.source}`, async () => {
        const { code, out, err, requests } = await runProgram(argv, env === undefined ? {} : { env })
        assert.match(err, /^pet-adoption-conformance: [^\n]+\n$/)
        assert.match(err, message)
        assert.doesNotMatch(err, /s3cret|\.ts:|Error/)
        assert.deepEqual({ code, out, requests: requests.length }, { code: 2, out: '', requests: 0 })
        assert.ok(!existsSync(join(folder, 'new.json')))
      })
    }
  })
}

const key = (value: string) => ({ PET_ADOPTION_API_KEY: value })

testRejections('a command line', [
  [['--kye=s3cret'], /unknown option "--kye"; expected one of api-key, profile, .*, help, version$/m],
  [['-x'], /unknown option "-x"; expected one of/],
  [['--constructor'], /unknown option "--constructor"/],
  [['--__proto__=x'], /unknown option "--__proto__"/],
  [['--plan', 'free', '--plan=pro'], /--plan was given twice: give it once$/m],
  [['judge', 'report.json', '--kye'], /unknown option "--kye"; expected one of plan, only, .*, version$/m],
  [['--api-key'], /--api-key requires a value: --api-key KEY$/m],
  [['--api-key='], /--api-key requires a value: --api-key KEY$/m],
  [['--api-key', '--list'], /--api-key requires a value: --api-key KEY$/m],
  [[baseUrl, '--category-id', '-s3cret'], /--category-id must be an integer$/m],
  [['--list=s3cret'], /--list does not take a value$/m],
])

testRejections('an option of a run', [
  [[], /the base URL is missing: give one such as https:\/\/api\.example\.com\/v1/],
  [[baseUrl, 's3cret'], /the base URL was given twice: give it once/],
  [['http://me:s3cret@x/v1'], /the base URL must not contain credentials/],
  [[baseUrl], /the API key is missing: set PET_ADOPTION_API_KEY/, {}],
  [[baseUrl], /the API key must be visible ASCII characters/, key('s3cret\n')],
  [
    [baseUrl, '--profile=exhaust'],
    /--profile exhaust requires a throttle key: set PET_ADOPTION_THROTTLE_KEY/,
    key('s3cret'),
  ],
  [[baseUrl, '--profile=all', `--throttle-key=${mainKey}`], /the throttle key must differ from the API key/],
  [[baseUrl, '--profile=write'], /--profile must be one of read, create, exhaust, all/],
  [[baseUrl, '--plan=gold'], /--plan must be one of free, pro, business/],
  [[baseUrl, '--only=LIST-99'], /--only: unknown rule "LIST-99"; --list prints all rules/],
  [[baseUrl, '--skip=LIS'], /--skip: unknown rule "LIS"/],
  [[baseUrl, '--category-id=cats'], /--category-id must be an integer/],
  [[baseUrl, '--category-id=9223372036854775808'], /--category-id must be an int64/],
  [[baseUrl, '--max-requests=0'], /--max-requests must be an integer from 1 to 20000/],
  [[baseUrl, '--timeout=1.5'], /--timeout must be an integer/],
  [[baseUrl, '--now=tomorrow'], /--now must be a date, or a time with its zone, such as 2030-12-07 or/],
  [[baseUrl, '--pace=0'], /--pace must be a positive number/],
  [[baseUrl, '--pace=fast'], /--pace must be a number, such as 2 or 0\.5/],
  [[baseUrl, '--quiet', '--verbose'], /--quiet and --verbose cannot be used together/],
])

const missingPath = '/none/x.json'
testRejections('an output option', [
  [[baseUrl, '--format=pdf'], /--format must be one of pretty, json, junit, markdown, html, github$/m],
  [['--list', '--format', 'html'], /--format must be one of pretty, json/],
  [
    [baseUrl, '--format=json', '--format=html'],
    /--format was given twice without a file: write --format html=FILE/,
  ],
  [[baseUrl, '--format=json='], /--format json= requires a file: --format json=FILE/],
  [
    [baseUrl, `--format=json=${join(folder, 'new.json')}`, '--format=html=/none/x'],
    /cannot write the html report \/none\/x: ENOENT/,
  ],
  [[baseUrl, `--format=json=${folder}`], /cannot write the json report .*: it is a directory$/m],
  [
    ['judge', missingPath, `--format=json=${missingPath}`],
    /cannot write the json report \/none\/x\.json: ENOENT/,
  ],
  [[baseUrl, `--write-known-failures=${missingPath}`], /cannot write the known failures \/none\/x\.json/],
])

const certificatePath = writeFile('client.pem', clientPair.clientCert)
const keyFile = writeFile('client-key.pem', clientPair.clientKey)
const otherKey = writeFile('other-key.pem', serverPair.key)
const invalidPemPath = writeFile('nonsense.pem', 's3cret')

testRejections('a network option', [
  [[baseUrl, '--header', 'X-A: $NONE'], /--header X-A uses the variable NONE, which is not set/],
  [[baseUrl, '--header', 'Authorization: s3cret'], /--header must not set Authorization/],
  [[baseUrl, '--header', 's3cret'], /--header number 1 must be 'Name: value'/],
  [[baseUrl, '--header=X-A: 1', '--header=x-a: s3cret'], /--header x-a was given twice: join the values/],
  [[baseUrl, '--client-cert', certificatePath], /--client-cert and --client-key must be given together$/m],
  [[baseUrl, '--client-key', keyFile], /--client-cert and --client-key must be given together$/m],
  [[baseUrl, '--ca=/none/ca.pem'], /cannot read the CA certificates \/none\/ca\.pem/],
  [[baseUrl, '--ca', invalidPemPath], /--ca .+nonsense\.pem: the file does not contain a PEM certificate/],
  [
    [baseUrl, '--client-cert', certificatePath, '--client-key', otherKey],
    /--client-key .+: the file does not match the certificate/,
  ],
  [
    [baseUrl],
    /the proxy from the environment must be the URL of an HTTP proxy/,
    { ...key('a-key'), http_proxy: 'socks5://me:s3cret@proxy.test' },
  ],
])

let written = 0
const saveJson = (content: unknown): string => writeFile(`misuse-${written++}.json`, content)
const passKnownFailures = (content: unknown): readonly string[] => [
  baseUrl,
  '--known-failures',
  saveJson(content),
]
const validEntry = { rule: 'LIST-1', reason: 'ticket 7' }

testRejections('a known-failures file', [
  [
    passKnownFailures({ rule: 'LIST-1' }),
    /are invalid: must be an array of \{ "rule", "reason", "until"\? \}/,
  ],
  [passKnownFailures([validEntry, 'LIST-2']), /are invalid: \[1\] must be an object/],
  [passKnownFailures([{ reason: 'x' }]), /are invalid: \[0\]\.rule must be a rule id/],
  [passKnownFailures([{ rule: 'LIST-1' }]), /\[0\]\.reason must be a non-empty string/],
  [
    passKnownFailures([{ ...validEntry, until: 'May' }]),
    /\[0\]\.until must be a date, or a time with its zone/,
  ],
  [
    passKnownFailures([{ ...validEntry, untill: '2027-01-31' }]),
    /\[0\] has an unknown member "untill"; expected one of rule, reason, until$/m,
  ],
  [passKnownFailures([validEntry, validEntry]), /\[1\]\.rule duplicates \[0\]\.rule/],
  [passKnownFailures('s3cret'), /are invalid: the file is not JSON\n/],
  [passKnownFailures('[{"rule" 7}]'), /are invalid: the file is not JSON at position \d+\n/],
  [[baseUrl, `--known-failures=${missingPath}`], /cannot read the known failures \/none\/x\.json: ENOENT/],
])

testRejections('a judge command', [
  [['judge'], /judge requires one file: judge REPORT\.json/],
  [['judge', missingPath], /cannot read the report \/none\/x\.json: ENOENT/],
  [['judge', 't.json', '--profile=read'], /--profile is a flag of a run, not of judge$/m],
  [['judge', saveJson('hello')], /\.json: the report is not JSON: save one with --format json=FILE\n$/],
  [['judge', saveJson([])], /\.json: invalid report: \$ must be of type object/],
])
