import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { lacks } from '../../adapters/testing/machine.ts'
import { catalogue, type RuleResult } from '../index.ts'
import { createDeployment } from '../testing/deployments/deployment.ts'
import { createClock, mainKey, throttleKey } from '../testing/deployments/world.ts'
import { base, file, folder, keys, program, type Scene } from '../testing/program.ts'
import { cli } from './cli.ts'
import { formatProgramName, help } from './listing.ts'
import { usesColor } from './terminal.ts'

const broken = (): Response => Response.json([], { headers: { 'content-type': 'text/html' } })
const refused = (): never => {
  throw new Error('connection refused')
}
const read = (path: string): string => readFileSync(path, 'utf8')
const judged = (json: string): readonly string[] =>
  JSON.parse(json).rules.flatMap(({ id, deselected }: RuleResult) => (deselected === undefined ? [id] : []))

describe('the exit code of a run', () => {
  it('is 0 if every rule holds', async () => {
    const { code, out, err } = await program([base])
    assert.match(
      out,
      /^http:\/\/reference\.test\/v1\n[\s\S]*\nEvery requirement that was judged holds\nexit code 0\n$/,
    )
    assert.deepEqual({ code, err }, { code: 0, err: '' })
  })

  it('is 1 if a MUST is broken', async () => {
    const { code, out } = await program([base, '--only=LIST-2'], { handler: broken })
    assert.match(
      out,
      /✗ LIST-2[\s\S]*1 cause behind 1 failure: LIST-2\nexit code 1: fix what is broken, or list it [^\n]+\n$/,
    )
    assert.equal(code, 1)
  })

  for (const [what, flags, handler, code] of [
    ['3 without any response, even with --allow-inconclusive', ['--allow-inconclusive'], refused, 3],
    ['3 without evidence for a MUST', ['--only=LIST-12'], () => Response.json([]), 3],
    ['0 if that is allowed', ['--only=LIST-12', '--allow-inconclusive'], () => Response.json([]), 0],
  ] as const)
    it(`is ${what}`, async () => assert.equal((await program([base, ...flags], { handler })).code, code))

  it('is 70 for a defect of the suite, with a message without the key', async () => {
    const stdout = {
      write: () => {
        throw new Error(`cannot write ${mainKey}`)
      },
    }
    let err = ''
    const stderr = { write: (text: string) => (err += text) }
    const run = { fetch: broken, clock: createClock('2026-11-20T12:00:05Z') }
    assert.equal(await cli({ argv: [base], program: '', env: keys, stdout, stderr, run }), 70)
    assert.match(
      err,
      /a defect of the suite; please report this:\nError: cannot write \$PET_ADOPTION_API_KEY\n/,
    )
  })
})

describe('cli', () => {
  it('prefers flags to the environment', async () => {
    const { requests } = await program([base, '--key', 'other'])
    assert.equal(requests[0]?.headers.get('authorization'), 'Bearer other')
  })

  it('announces a run that creates or exhausts', async () => {
    const { err, requests } = await program([base, '--profile=all'])
    assert.match(err, /^Profile all against http:\/\/reference\.test\/v1:\nAt most \d+ requests/)
    assert.match(err, /At most \d+ with the throttle key/)
    const marker = /Each has (Test[a-z]+) in its name/.exec(err)?.[1] ?? 'none'
    const posts = requests.filter(({ method }) => method === 'POST')
    assert.ok((await posts[0]?.text())?.includes(marker))
  })

  it('prints only the outcome of a quiet run that holds', async () => {
    const { out, err } = await program([base, '--quiet'], { isTTY: true, env: { ...keys, NO_COLOR: '1' } })
    assert.deepEqual([out, err], ['Every requirement that was judged holds\nexit code 0\n', ''])
  })

  it('prints the failures and the outcome of a quiet run', async () => {
    const { out, err } = await program([base, '--quiet', '--profile=create'], { handler: broken })
    assert.match(out, /✗ LIST-2 /)
    assert.doesNotMatch(out, /^ +[!✓?] /m)
    assert.match(out, /causes? behind \d+ failures: [^\n]+\nexit code 1: [^\n]+\n$/)
    assert.equal(err, '')
  })

  it('writes a line for each exchange of a verbose run, without keys', async () => {
    const { err, out, requests } = await program([base, '--verbose', '--profile=all'])
    const lines = err.split('\n').filter((line) => /^ +\d+\.\d\d {2}(GET|POST) /.test(line))
    assert.equal(lines.length, requests.length)
    assert.match(
      lines[1] ?? '',
      /^ +0\.\d\d {2}GET {2}\/pets\?limit=100 +200, \d+ characters, [\d.]+ ms {2}\[list-100, key\]$/,
    )
    assert.ok(!err.includes(mainKey) && !err.includes(throttleKey))
    assert.match(out, /^http/)
  })

  for (const columns of [0, 1, 10])
    it(`prints whole words on a terminal of ${columns} columns`, async () => {
      const { out, code } = await program([base, '--only=LIST-1'], { isTTY: true, columns })
      assert.match(out, /Every requirement that was judged/)
      assert.equal(code, 0)
    })

  it('accepts a negative --category-id', async () => {
    const { requests } = await program([base, '--profile=create', '--category-id', '-5'])
    const [post] = requests.filter(({ method }) => method === 'POST')
    assert.match((await post?.text()) ?? '', /"categoryId":-5\b/)
  })

  it('chooses rules by id or family with --only and --skip', async () => {
    const { out } = await program([base, '--format=json', '--only=list-1,GET', '--skip', 'GET-3'])
    assert.ok(judged(out).includes('LIST-1') && judged(out).includes('GET-2'))
    assert.ok(judged(out).every((id) => id === 'LIST-1' || (id.startsWith('GET-') && id !== 'GET-3')))
  })
})

describe('cli --format', () => {
  const beginnings = {
    pretty: 'http://reference.test/v1\n',
    json: '{\n  "suite": {',
    junit: '<?xml version="1.0"',
    markdown: '# Pet adoption service',
    html: '<!doctype html>',
    github: 'http://reference.test/v1: ',
  }

  it('writes each format to stdout or to a private file', async () => {
    const formats = Object.keys(beginnings).map((name) => `--format=${name}=${join(folder, name)}`)
    const { out, code } = await program([base, ...formats], { isTTY: true })
    assert.match(out, /passed[\s\S]*Every requirement that was judged holds\S*\nexit code 0\n$/)
    assert.equal(code, 0)
    for (const [name, beginning] of Object.entries(beginnings)) {
      const path = join(folder, name)
      assert.ok(read(path).startsWith(beginning), name)
      if (!lacks.modes) assert.equal(statSync(path).mode & 0o777, 0o600)
      const { out } = await program([base, `--format=${name}`])
      assert.equal(out.replace(/exit code 0\n$/, '').slice(0, 40), read(path).slice(0, 40))
    }
  })

  it('adds the Markdown report to the step summary in GitHub Actions', async () => {
    const path = file('summary.md', 'before\n')
    await program([base, '--format=github'], { env: { ...keys, GITHUB_STEP_SUMMARY: path } })
    assert.match(read(path), /^before\n# Pet adoption service: conformance report\n/)
  })

  it('exits with 70 if a report is lost after the run, and writes the others', async () => {
    const gone = join(folder, 'gone')
    mkdirSync(gone)
    const [lost, kept] = [join(gone, 'lost.json'), join(folder, 'kept.json')]
    const reference = createDeployment(createClock('2026-11-20T12:00:05Z'))
    const handler = (request: Request): Promise<Response> => {
      rmSync(gone, { recursive: true, force: true })
      return Promise.resolve(reference(request))
    }
    const files = ['--save-transcript', lost, `--format=junit=${join(gone, 'a')}`, `--format=json=${kept}`]
    const { code, out, err } = await program([base, '--profile=create', ...files], { handler })
    assert.match(err, /\npet-adoption-conformance: cannot write the junit report /)
    assert.ok(JSON.parse(read(kept)).created.length > 0)
    assert.match(out, /\d+ passed/)
    assert.equal(code, 70)
  })

  it('overwrites an existing file and retains its mode', {
    skip: lacks.modes,
  }, async () => {
    const path = file('there.json', 'an old report')
    chmodSync(path, 0o644)
    await program([base, '--format', `json=${path}`])
    assert.ok(JSON.parse(read(path)).rules.length > 0)
    assert.equal(statSync(path).mode & 0o777, 0o644)
  })

  for (const [when, env, isTTY, expected] of [
    ['on a terminal', {}, true, true],
    ['to a pipe', {}, undefined, false],
    ['on a dumb terminal', { TERM: 'dumb' }, true, false],
    ['on a terminal with NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['on a terminal with an empty NO_COLOR', { NO_COLOR: '' }, true, true],
    ['to a pipe with FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
    ['on a terminal with FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
    ['to a pipe with FORCE_COLOR and NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  ] as const) {
    it(`${expected ? 'has' : 'has no'} colour ${when}`, () =>
      assert.equal(usesColor(env, { isTTY }), expected))
  }
})

describe('the last line', () => {
  const ends = async (argv: readonly string[], handler?: Scene['handler']) =>
    (await program(argv, handler === undefined ? {} : { handler })).out.split('\n').at(-2)
  const empty = () => Response.json([])

  it('advises on known failures only if there are failures to list', async () => {
    assert.equal(
      await ends([base, '--only=LIST-2'], broken),
      'exit code 1: fix what is broken, or list it with --write-known-failures FILE',
    )
    const listed = file('listed.json', [{ rule: 'LIST-3', reason: 'ticket 7' }])
    const flags = ['--only=LIST-2,LIST-3', '--known-failures', listed]
    assert.match((await ends([base, ...flags], broken)) ?? '', /FILE, which leaves out what no longer fails$/)
    assert.equal(
      await ends([base, '--only=LIST-3', '--known-failures', listed], empty),
      'exit code 1: remove what no longer fails from the known failures',
    )
  })

  it('never advises the profile that was used', async () => {
    const undecided = ['--only=LIST-12']
    assert.match(
      (await ends([base, ...undecided], empty)) ?? '',
      /^exit code 3: .*--profile create adds animals/,
    )
    const created = await ends([base, ...undecided, '--profile=create'], empty)
    assert.match(created ?? '', /^exit code 3: see the reasons above; --allow-inconclusive/)
  })

  it('gives the reason of a run that ended early', async () => {
    assert.equal(await ends([base], refused), 'exit code 3: see above why the run ended early')
  })

  it('advises judge on no flag that it does not take', async () => {
    const path = join(folder, 'judged.json')
    await program([base, '--save-transcript', path], { handler: broken })
    assert.equal(await ends(['judge', path, '--only=LIST-2']), 'exit code 1: fix what is broken')
    assert.equal(await ends(['judge', path, '--only=LIST-12']), 'exit code 3: see the reasons above')
  })
})

describe('cli without requests', () => {
  it('--help and --version print what they name', async () => {
    const { out } = await program(['--help'], { env: {} })
    assert.match(out, /^Judges a deployment[\s\S]*--known-failures FILE/)
    const { out: version } = await program(['--version'], { env: {} })
    assert.match(version, /^pet-adoption-conformance \d+\.\d+\.\d+\n$/)
  })

  it('judge --help has only the flags that judge takes', async () => {
    const { out, code, requests } = await program(['judge', '--help'], { env: {} })
    assert.match(out, /judge TRANSCRIPT\.json/)
    for (const name of ['only', 'known-failures', 'format', 'now', 'plan'])
      assert.match(out, new RegExp(`--${name}\\b`))
    assert.doesNotMatch(out, /--profile|--key\b|--ca\b|PET_ADOPTION_API_KEY {2}/)
    assert.deepEqual([code, requests.length], [0, 0])
  })

  for (const [script, runtime, expected] of [
    ['/work/node_modules/.bin/pet-adoption-conformance', {}, 'pet-adoption-conformance'],
    ['/work/dist/conformance/main.js', { deno: '2.9.5' }, 'pet-adoption-conformance'],
    [
      '/work/node_modules/.deno/pet-adoption-service@1.0.0/node_modules/pet-adoption-service/main.js',
      { deno: '2.9.5' },
      'deno run -A npm:pet-adoption-service/pet-adoption-conformance',
    ],
  ] as const)
    it(`the help names ${expected} for ${script} on ${JSON.stringify(runtime)}`, () => {
      const name = formatProgramName(script, { ...process.versions, ...runtime })
      assert.equal(name, expected)
      assert.ok(help(name).includes(`\n  ${expected} BASE-URL [flags]  `))
    })

  it('--list prints every rule, and requires no base URL', async () => {
    const { out, code, requests } = await program(['--list'], { env: {} })
    assert.match(out, /^LIST-1 {5}MUST {4}4\.1 {3}read {5}/m)
    assert.deepEqual([code, requests.length], [0, 0])
    const rules = JSON.parse((await program(['--list', '--format', 'json'], { env: {} })).out)
    assert.equal(rules.length, catalogue.length)
    assert.equal(Object.keys(rules[0]).sort().join(), 'id,level,profile,section,statement,title')
  })

  it('--dry-run prints the requests and their cost without a key', async () => {
    const { out, code, requests } = await program([`${base}/`, '--dry-run', '--profile=create'], { env: {} })
    assert.match(
      out,
      /^Profile create would send to http:\/\/reference\.test\/v1, one at a time:\n\n {3}1 {2}GET {2}\/pets /,
    )
    assert.match(out, /POST \/pets .* {2}key\n {11}\{"name":"<run> ava"/)
    assert.match(
      out,
      /At most \d+ requests, \d+ of them with the key: [\d.]+ % of a Free key's minute \(60\) and [\d.]+ % of its day \(1,000\)\./,
    )
    assert.match(out, /At most \d+ animals could be created[\s\S]*Nothing was sent\.\n$/)
    assert.deepEqual([code, requests.length], [0, 0])
  })

  it('--dry-run --format json prints the same as JSON', async () => {
    const argv = [base, '--dry-run', '--profile=create', '--format=json']
    const { target, profile, exchanges, requests, creations } = JSON.parse((await program(argv)).out)
    assert.deepEqual([target, profile], [{ baseUrl: base }, 'create'])
    assert.equal(exchanges[0].target, '/pets')
    assert.ok(requests <= 80 && creations.most === 24)
  })

  it('--dry-run of exhaust prints its requests and its waits', async () => {
    const { out } = await program([base, '--dry-run', '--profile=exhaust', '--pace=0.5'], { env: {} })
    assert.match(out, / {2}throttle-key, up to 500 times, until the first 429\n/)
    assert.match(
      out,
      /Up to 5 more GETs may repeat[\s\S]*130 s in all at most[\s\S]*At 0\.5 requests a second, /,
    )
    assert.match(out, /No animal can be created: only GET is sent\.\n/)
  })
})

describe('known failures of cli', () => {
  const entry = { rule: 'LIST-2', reason: 'ticket 7' }
  const run = (content: unknown, flags: readonly string[] = [], handler = broken) =>
    program([base, '--only=LIST-2', '--known-failures', file('known.json', content), ...flags], { handler })

  it('do not count until their date, by --now', async () => {
    const { code, out } = await run([entry])
    assert.match(out, /known {5}ticket 7\n/)
    assert.equal(code, 0)
    const until = [{ ...entry, until: '2027-01-31' }]
    assert.equal((await run(until, ['--now=2027-01-30'])).code, 0)
    assert.equal((await run(until, ['--now=2027-01-31'])).code, 1)
  })

  it('cause an exit with 1 if a rule no longer fails; may be empty', async () => {
    const { code, out } = await run([entry], [], () => Response.json([]))
    assert.match(out, /LIST-2 no longer fails: remove LIST-2 from the known failures/)
    assert.equal(code, 1)
    assert.equal((await run('\ufeff[]', [], () => Response.json([]))).code, 0)
  })

  it('are written so that the next run exits with 0', async () => {
    const path = join(folder, 'written.json')
    const first = await program([base, '--write-known-failures', path, '--quiet'], { handler: broken })
    const entries = JSON.parse(read(path))
    assert.ok(entries.length > 1)
    assert.match(entries[0].reason, /^since 2026-11-20 or earlier: /)
    assert.equal(first.code, 1)
    const again = [base, '--known-failures', path, '--allow-inconclusive']
    assert.equal((await program(again, { handler: broken })).code, 0)
  })

  it('are rewritten without the rules that pass', async () => {
    const until = '2027-01-31'
    const others = ['AUTH-7', 'VER-1'].map((rule) => ({ rule, reason: 'old' }))
    const path = file('kept.json', [{ ...entry, until }, ...others])
    const files = ['--known-failures', path, '--write-known-failures', path]
    await program([base, '--only=LIST-2,LIST-3,AUTH-7,VER', ...files], { handler: broken })
    const [first, ...rest] = JSON.parse(read(path))
    assert.deepEqual(first, { ...entry, until })
    assert.ok(rest.every(({ rule }: { rule: string }) => rule !== 'VER-1' && rule !== 'LIST-2'))
  })
})

describe('cli judge', () => {
  it('returns the verdicts of the run and sends nothing', async () => {
    const path = join(folder, 'transcript.json')
    const live = await program([base, '--format=json', '--save-transcript', path])
    const again = await program(['judge', path, '--format=json'], { env: {} })
    assert.deepEqual(JSON.parse(again.out).rules, JSON.parse(live.out).rules)
    assert.deepEqual([again.code, again.requests.length], [live.code, 0])
  })

  it('takes other rules, another clock and another plan', async () => {
    const path = join(folder, 'transcript.json')
    await program([base, '--save-transcript', path])
    const flags = ['--only=GET-1,RATE-8', '--now=2031-01-01', '--plan=pro', '--format=json']
    const { out, code } = await program(['judge', path, ...flags])
    assert.deepEqual(judged(out), ['GET-1', 'RATE-8'])
    const { rules } = JSON.parse(out)
    const verdict = (name: string) => rules.find(({ id }: RuleResult) => id === name).verdict
    assert.deepEqual([verdict('GET-1'), verdict('RATE-8'), code], ['not-applicable', 'fail', 1])
  })
})

describe('an interrupt', () => {
  it('completes its request, writes the reports and exits with 130', async () => {
    const [report, transcript] = [join(folder, 'report.json'), join(folder, 'transcript.json')]
    const files = ['--format', `json=${report}`, '--save-transcript', transcript]
    const { code, out, err, requests } = await program([base, '--profile=create', ...files], {
      interruptAt: 22,
    })
    const { endedEarly, created, exchanges } = JSON.parse(read(report))
    assert.deepEqual([code, requests.length, exchanges.length, created.length], [130, 22, 22, 3])
    assert.equal(endedEarly, 'it was interrupted: run it again')
    assert.equal(JSON.parse(read(transcript)).exchanges.length, 22)
    assert.match(err, /interrupted: completing the request in flight; interrupt again to end immediately\n/)
    assert.match(out, /The run ended early: it was interrupted: run it again/)
  })
})
