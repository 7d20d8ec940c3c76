import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { clientPair, serverPair } from '../testing/certificates.ts'
import { mainKey } from '../testing/deployments/world.ts'
import { base, file, folder, program } from '../testing/program.ts'

type Row = readonly [argv: readonly string[], message: RegExp, env?: Readonly<Record<string, string>>]

/** Each command line exits with 2 and one line, before anything is sent or written, and quotes no secret. */
function rejects(what: string, rows: readonly Row[]): void {
  describe(what, () => {
    for (const [argv, message, env] of rows) {
      it(`exits with 2 and one line: ${message.source}`, async () => {
        const { code, out, err, requests } = await program(argv, env === undefined ? {} : { env })
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

rejects('a command line', [
  [['--kye=s3cret'], /unknown option "--kye"; expected one of key, profile, .*, help, version$/m],
  [['-x'], /unknown option "-x"; expected one of/],
  [['--constructor'], /unknown option "--constructor"/],
  [['--__proto__=x'], /unknown option "--__proto__"/],
  [['--plan', 'free', '--plan=pro'], /--plan was given twice: give it once$/m],
  [['--key'], /'--key <value>' argument missing/],
  [['--key='], /--key requires a value: --key KEY$/m],
  [['--key', '--list'], /Did you forget to specify the option argument for '--key'\?/],
  [['--category-id', '-s3cret'], /Did you forget|ambiguous/],
  [['--list=s3cret'], /'--list' does not take an argument/],
])

rejects('a run', [
  [[], /the base URL is missing: give one such as https:\/\/api\.example\.com\/v1/],
  [[base, 's3cret'], /the base URL was given twice: give it once/],
  [['http://me:s3cret@x/v1'], /the base URL must hold no credentials/],
  [[base], /the key is missing: set PET_ADOPTION_API_KEY/, {}],
  [[base], /the key must be an API key/, key('s3cret\n')],
  [
    [base, '--profile=exhaust'],
    /--profile exhaust requires a throttle key: set PET_ADOPTION_THROTTLE_KEY/,
    key('s3cret'),
  ],
  [[base, '--profile=all', `--throttle-key=${mainKey}`], /the throttle key must be another key/],
  [[base, '--profile=write'], /--profile must be one of read, create, exhaust, all/],
  [[base, '--plan=gold'], /--plan must be one of free, pro, business/],
  [[base, '--only=LIST-99'], /--only names the unknown rule "LIST-99": --list prints all rules/],
  [[base, '--skip=LIS'], /--skip names the unknown rule "LIS"/],
  [[base, '--category-id=cats'], /--category-id must be a whole number/],
  [[base, '--category-id=9223372036854775808'], /--category-id must be an int64/],
  [[base, '--max-requests=0'], /--max-requests must be a whole number from 1 to 20000/],
  [[base, '--timeout=1.5'], /--timeout must be a whole number/],
  [[base, '--now=tomorrow'], /--now must be an ISO date, such as 2030-12-07/],
  [[base, '--pace=0'], /--pace must be a number above 0/],
  [[base, '--pace=fast'], /--pace must be a number, such as 2 or 0\.5/],
  [[base, '--quiet', '--verbose'], /--quiet and --verbose cannot be used together/],
])

const none = '/none/x.json'
rejects('the output', [
  [[base, '--format=pdf'], /--format must be one of pretty, json, junit, markdown, html, github$/m],
  [['--list', '--format', 'html'], /--format must be one of pretty, json/],
  [
    [base, '--format=json', '--format=html'],
    /--format was given twice without a file: write --format html=FILE/,
  ],
  [[base, '--format=json='], /--format json= requires a file: --format json=FILE/],
  [
    [base, `--format=json=${join(folder, 'new.json')}`, '--format=html=/none/x'],
    /cannot write the html report \/none\/x: ENOENT/,
  ],
  [[base, `--format=json=${folder}`], /cannot write the json report .*: it is a folder$/m],
  [['judge', none, `--format=json=${none}`], /cannot write the json report \/none\/x\.json: ENOENT/],
  [[base, `--write-known-failures=${none}`], /cannot write the known failures \/none\/x\.json/],
  [[base, `--save-transcript=${none}`], /cannot write the transcript \/none\/x\.json/],
])

const cert = file('client.pem', clientPair.cert)
const keyFile = file('client-key.pem', clientPair.key)
const otherKey = file('other-key.pem', serverPair.key)
const nonsense = file('nonsense.pem', 's3cret')

rejects('the network', [
  [[base, '--header', 'X-A: $NONE'], /--header X-A names the variable NONE, which is not set/],
  [[base, '--header', 'Authorization: s3cret'], /--header must not have Authorization/],
  [[base, '--header', 's3cret'], /--header number 1 must be 'Name: value'/],
  [[base, '--header=X-A: 1', '--header=x-a: s3cret'], /--header x-a was given twice: join the values/],
  [[base, '--cert', cert], /the command line must have both cert and key: the certificate of the client/],
  [[base, '--key-file', keyFile], /the command line must have both cert and key/],
  [[base, '--ca=/none/ca.pem'], /cannot read the certificates of the authorities \/none\/ca\.pem/],
  [[base, '--ca', nonsense], /--ca .+nonsense\.pem: the file holds no certificate/],
  [
    [base, '--cert', cert, '--key-file', otherKey],
    /--key-file .+: the file is not the key of the certificate/,
  ],
  [
    [base],
    /the proxy of the environment must be the address of an http proxy/,
    { ...key('a-key'), http_proxy: 'socks5://me:s3cret@proxy.test' },
  ],
])

let written = 0
const saved = (content: unknown): string => file(`misuse-${written++}.json`, content)
const known = (content: unknown): readonly string[] => [base, '--known-failures', saved(content)]
const good = { rule: 'LIST-1', reason: 'ticket 7' }

rejects('known failures', [
  [known({ rule: 'LIST-1' }), /are invalid: must be an array of \{ "rule", "reason", "until"\? \}/],
  [known([good, 'LIST-2']), /are invalid: \[1\] must be an object/],
  [known([{ reason: 'x' }]), /are invalid: \[0\]\.rule must be the id of a rule/],
  [known([{ rule: 'LIST-1' }]), /\[0\]\.reason must be a text/],
  [known([{ ...good, until: 'May' }]), /\[0\]\.until must be an ISO date/],
  [known([{ ...good, untill: '2027-01-31' }]), /\[0\] has an unknown member "untill"/],
  [known([good, good]), /\[1\]\.rule repeats \[0\]\.rule/],
  [known('s3cret'), /are invalid: not JSON\n/],
  [known('[{"rule" 7}]'), /are invalid: not JSON at position \d+\n/],
  [[base, `--known-failures=${none}`], /cannot read the known failures \/none\/x\.json: ENOENT/],
])

rejects('judge', [
  [['judge'], /judge requires one file: judge TRANSCRIPT\.json/],
  [['judge', none], /cannot read the transcript \/none\/x\.json: ENOENT/],
  [['judge', 't.json', '--profile=read'], /--profile cannot be used with judge, which sends nothing/],
  [['judge', saved('hello')], /\.json: the transcript is not JSON: save one with --save-transcript\n$/],
  [['judge', saved([])], /\.json: the transcript cannot be read: \$ must be an object/],
])
