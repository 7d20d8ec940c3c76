import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { missingFeatures } from '../../adapters/testing/machine.ts'
import { catalogue, type RuleResult } from '../index.ts'
import { createDeployment } from '../testing/deployments/deployment.ts'
import { createClock, mainKey, throttleKey } from '../testing/deployments/world.ts'
import { baseUrl, folder, keys, type ProgramOptions, runProgram, writeFile } from '../testing/program.ts'
import { runCli } from './cli.ts'
import { formatHelp, formatProgramName } from './listing.ts'
import { usesColor } from './terminal.ts'

const respondBroken = (): Response => Response.json([], { headers: { 'content-type': 'text/html' } })
const refuseConnection = (): never => {
  throw new Error('connection refused')
}
const readText = (path: string): string => readFileSync(path, 'utf8')
const listJudgedIds = (json: string): readonly string[] =>
  JSON.parse(json).rules.flatMap(({ id, deselected }: RuleResult) => (deselected === undefined ? [id] : []))

describe("the program's exit code", () => {
  it('is 0 if every requirement holds', async () => {
    const { code, out, err } = await runProgram([baseUrl])
    assert.match(out, /^http:\/\/reference\.test\/v1\n[\s\S]*\nAll judged requirements hold\nexit code 0\n$/)
    assert.deepEqual({ code, err }, { code: 0, err: '' })
  })

  it('is 1 if a requirement is broken', async () => {
    const { code, out } = await runProgram([baseUrl, '--only=LIST-2'], { handler: respondBroken })
    assert.match(
      out,
      /✗ LIST-2[\s\S]*1 cause behind 1 failure: LIST-2\nexit code 1: fix the failures, or record them [^\n]+\n$/,
    )
    assert.equal(code, 1)
  })

  for (const [what, flags, handler, code] of [
    ['3 without any response, even with --allow-inconclusive', ['--allow-inconclusive'], refuseConnection, 3],
    ['3 without evidence for a MUST', ['--only=LIST-12'], () => Response.json([]), 3],
    [
      '0 without evidence with --allow-inconclusive',
      ['--only=LIST-12', '--allow-inconclusive'],
      () => Response.json([]),
      0,
    ],
  ] as const)
    it(`is ${what}`, async () =>
      assert.equal((await runProgram([baseUrl, ...flags], { handler })).code, code))

  it('is 70 after an internal error, whose stack trace contains no keys', async () => {
    const stdout = {
      write: () => {
        throw new Error(`cannot write ${mainKey}`)
      },
    }
    let err = ''
    const stderr = { write: (text: string) => (err += text) }
    const runSettings = { fetch: respondBroken, clock: createClock('2026-11-20T12:00:05Z') }
    assert.equal(
      await runCli({ argv: [baseUrl], program: '', env: keys, stdout, stderr, run: runSettings }),
      70,
    )
    assert.match(err, /internal error; please report it:\nError: cannot write \$PET_ADOPTION_API_KEY\n/)
  })
})

describe('the program', () => {
  it('uses --api-key instead of the key in the environment', async () => {
    const { requests } = await runProgram([baseUrl, '--api-key', 'other'])
    assert.equal(requests[0]?.headers.get('authorization'), 'Bearer other')
  })

  it('announces a run that creates animals', async () => {
    const { err, requests } = await runProgram([baseUrl, '--profile=all'])
    assert.match(err, /^Profile all against http:\/\/reference\.test\/v1:\nAt most \d+ requests/)
    assert.match(err, /At most \d+ requests with the throttle key/)
    const nameMarker = /Their names contain (Test[a-z]+), /.exec(err)?.[1] ?? 'none'
    const posts = requests.filter(({ method }) => method === 'POST')
    assert.ok((await posts[0]?.text())?.includes(nameMarker))
  })

  it('prints only the summary with --quiet', async () => {
    const { out, err } = await runProgram([baseUrl, '--quiet'], {
      isTTY: true,
      env: { ...keys, NO_COLOR: '1' },
    })
    assert.deepEqual([out, err], ['All judged requirements hold\nexit code 0\n', ''])
  })

  it('prints only failures with --quiet', async () => {
    const { out, err } = await runProgram([baseUrl, '--quiet', '--profile=create'], {
      handler: respondBroken,
    })
    assert.match(out, /✗ LIST-2 /)
    assert.doesNotMatch(out, /^ +[!✓?] /m)
    assert.match(out, /causes? behind \d+ failures: [^\n]+\nexit code 1: [^\n]+\n$/)
    assert.equal(err, '')
  })

  it('prints each exchange to stderr with --verbose', async () => {
    const { err, out, requests } = await runProgram([baseUrl, '--verbose', '--profile=all'])
    assert.match(err, /\[create-together-4, key, in parallel: create-together\]\n/)
    assert.match(err, /\[limit-together-20, throttle-key, in parallel: limit-together\]\n/)
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
    it(`prints its result on a terminal with ${columns} columns`, async () => {
      const { out, code } = await runProgram([baseUrl, '--only=LIST-1'], { isTTY: true, columns })
      assert.match(out, /All judged requirements/)
      assert.equal(code, 0)
    })

  it('accepts a negative --category-id', async () => {
    const { requests } = await runProgram([baseUrl, '--profile=create', '--category-id', '-5'])
    const [post] = requests.filter(({ method }) => method === 'POST')
    assert.match((await post?.text()) ?? '', /"categoryId":-5\b/)
  })

  it('accepts rules and families in --only and --skip', async () => {
    const { out } = await runProgram([baseUrl, '--format=json', '--only=list-1,GET', '--skip', 'GET-3'])
    assert.ok(listJudgedIds(out).includes('LIST-1') && listJudgedIds(out).includes('GET-2'))
    assert.ok(listJudgedIds(out).every((id) => id === 'LIST-1' || (id.startsWith('GET-') && id !== 'GET-3')))
  })
})

describe('--format', () => {
  const beginnings = {
    pretty: 'http://reference.test/v1\n',
    json: '{\n  "suite": {',
    junit: '<?xml version="1.0"',
    markdown: '# Pet adoption service',
    html: '<!doctype html>',
    github: 'http://reference.test/v1: ',
  }

  it('writes a file in each format', async () => {
    const formats = Object.keys(beginnings).map((name) => `--format=${name}=${join(folder, name)}`)
    const { out, code } = await runProgram([baseUrl, ...formats], { isTTY: true })
    assert.match(out, /passed[\s\S]*All judged requirements hold\S*\nexit code 0\n$/)
    assert.equal(code, 0)
    for (const [name, beginning] of Object.entries(beginnings)) {
      const path = join(folder, name)
      assert.ok(readText(path).startsWith(beginning), name)
      if (!missingFeatures.modes) assert.equal(statSync(path).mode & 0o777, 0o600)
      const { out } = await runProgram([baseUrl, `--format=${name}`])
      assert.equal(out.replace(/exit code 0\n$/, '').slice(0, 40), readText(path).slice(0, 40))
    }
  })

  it("appends a report to GitHub's step summary", async () => {
    const path = writeFile('summary.md', 'before\n')
    await runProgram([baseUrl, '--format=github'], { env: { ...keys, GITHUB_STEP_SUMMARY: path } })
    assert.match(readText(path), /^before\n# Pet adoption service: conformance report\n/)
  })

  it('writes no control characters from the deployment', async () => {
    const pet = { id: 1, name: '\u001b[2J', categoryId: 1, status: '\u2066\u202e' }
    const respondWithHostilePet = () => Response.json([pet])
    const names = [...Object.keys(beginnings), 'known']
    const files = names.map((name) => join(folder, `hostile-${name}`))
    const flags = names.map((name, at) =>
      name === 'known' ? `--write-known-failures=${files[at]}` : `--format=${name}=${files[at]}`,
    )
    await runProgram([baseUrl, ...flags], { handler: respondWithHostilePet })
    for (const path of files) assert.doesNotMatch(readText(path), /(?!\n)[\p{Cc}\p{Cf}]/u, path)
  })

  it('writes the other reports if one cannot be written', async () => {
    const missingFolder = join(folder, 'gone')
    mkdirSync(missingFolder)
    const [lost, kept] = [join(missingFolder, 'lost.html'), join(folder, 'kept.json')]
    const referenceHandler = createDeployment(createClock('2026-11-20T12:00:05Z'))
    const handler = (request: Request): Promise<Response> => {
      rmSync(missingFolder, { recursive: true, force: true })
      return Promise.resolve(referenceHandler(request))
    }
    const files = [
      `--format=html=${lost}`,
      `--format=junit=${join(missingFolder, 'a')}`,
      `--format=json=${kept}`,
    ]
    const { code, out, err } = await runProgram([baseUrl, '--profile=create', ...files], { handler })
    assert.match(
      err,
      /\npet-adoption-conformance: cannot write the html report .*; cannot write the junit report /,
    )
    assert.ok(JSON.parse(readText(kept)).created.length > 0)
    assert.match(out, /\d+ passed/)
    assert.equal(code, 70)
  })

  it('keeps permissions when it overwrites a file', {
    skip: missingFeatures.modes,
  }, async () => {
    const path = writeFile('there.json', 'an old report')
    chmodSync(path, 0o644)
    await runProgram([baseUrl, '--format', `json=${path}`])
    assert.ok(JSON.parse(readText(path)).rules.length > 0)
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
    it(`${expected ? 'has' : 'has no'} colors ${when}`, () =>
      assert.equal(usesColor(env, { isTTY }), expected))
  }
})

describe('the last line of the output', () => {
  const getExitCode = async (argv: readonly string[], handler?: ProgramOptions['handler']) =>
    (await runProgram(argv, handler === undefined ? {} : { handler })).out.split('\n').at(-2)
  const respondWithEmptyList = () => Response.json([])

  it('says what to do about a failure', async () => {
    assert.equal(
      await getExitCode([baseUrl, '--only=LIST-2'], respondBroken),
      'exit code 1: fix the failures, or record them with --write-known-failures FILE',
    )
    const listedFailures = writeFile('listed.json', [{ rule: 'LIST-3', reason: 'ticket 7' }])
    const flags = ['--only=LIST-2,LIST-3', '--known-failures', listedFailures]
    assert.match(
      (await getExitCode([baseUrl, ...flags], respondBroken)) ?? '',
      /FILE, which removes rules that no longer fail$/,
    )
    assert.equal(
      await getExitCode([baseUrl, '--only=LIST-3', '--known-failures', listedFailures], respondWithEmptyList),
      'exit code 1: remove the rules that no longer fail from the known-failures file',
    )
  })

  it('says how to judge more requirements', async () => {
    const undecidedArgs = ['--only=LIST-12']
    assert.match(
      (await getExitCode([baseUrl, ...undecidedArgs], respondWithEmptyList)) ?? '',
      /^exit code 3: .*--profile create collects more evidence/,
    )
    const createExitCode = await getExitCode(
      [baseUrl, ...undecidedArgs, '--profile=create'],
      respondWithEmptyList,
    )
    assert.match(createExitCode ?? '', /^exit code 3: see the reasons above; --allow-inconclusive/)
  })

  it('points to the reason if the run ended early', async () => {
    assert.equal(
      await getExitCode([baseUrl], refuseConnection),
      'exit code 3: the run ended early; see the reason above',
    )
  })

  it('is shorter for a saved report', async () => {
    const path = join(folder, 'judged.json')
    await runProgram([baseUrl, `--format=json=${path}`], { handler: respondBroken })
    assert.equal(await getExitCode(['judge', path, '--only=LIST-2']), 'exit code 1: fix the failures')
    assert.equal(await getExitCode(['judge', path, '--only=LIST-12']), 'exit code 3: see the reasons above')
  })
})

describe('the program without a run', () => {
  it('prints its help and version', async () => {
    const { out } = await runProgram(['--help'], { env: {} })
    assert.match(out, /^Tests a deployment[\s\S]*--known-failures FILE/)
    const { out: version } = await runProgram(['--version'], { env: {} })
    assert.match(version, /^pet-adoption-conformance \d+\.\d+\.\d+\n$/)
  })

  it('prints help for judge', async () => {
    const { out, code, requests } = await runProgram(['judge', '--help'], { env: {} })
    assert.match(out, /judge REPORT\.json/)
    for (const name of ['only', 'known-failures', 'format', 'now', 'plan'])
      assert.match(out, new RegExp(`--${name}\\b`))
    assert.doesNotMatch(out, /--profile|--api-key\b|--ca\b|PET_ADOPTION_API_KEY {2}/)
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
    it(`calls itself ${expected} when it is started as ${script} with ${JSON.stringify(runtime)}`, () => {
      const name = formatProgramName(script, { ...process.versions, ...runtime })
      assert.equal(name, expected)
      assert.ok(formatHelp(name).includes(`\n  ${expected} BASE-URL [flags]  `))
    })

  it('lists all rules', async () => {
    const { out, code, requests } = await runProgram(['--list'], { env: {} })
    assert.match(out, /^LIST-1 {5}MUST {4}4\.1 {3}read {5}/m)
    assert.deepEqual([code, requests.length], [0, 0])
    const rules = JSON.parse((await runProgram(['--list', '--format', 'json'], { env: {} })).out)
    assert.equal(rules.length, catalogue.length)
    assert.equal(Object.keys(rules[0]).sort().join(), 'id,level,profile,section,statement,title')
  })

  it('lists requests in a dry run', async () => {
    const { out, code, requests } = await runProgram([`${baseUrl}/`, '--dry-run', '--profile=create'], {
      env: {},
    })
    assert.match(
      out,
      /^Profile create would send these requests to http:\/\/reference\.test\/v1:\n\n {3}1 {2}GET {2}\/pets /,
    )
    assert.match(out, /POST \/pets .* {2}key\n {11}\{"name":"<run> ava"/)
    assert.match(
      out,
      /At most \d+ requests, \d+ with the API key\. That is [\d.]+ % of the Free plan's limit per minute \(60\) and [\d.]+ % of its limit per day \(1,000\)\./,
    )
    assert.match(out, /At most \d+ animals are created[\s\S]*No request was sent\.\n$/)
    assert.deepEqual([code, requests.length], [0, 0])
  })

  it('prints a dry run as JSON', async () => {
    const argv = [baseUrl, '--dry-run', '--profile=create', '--format=json']
    const { target, profile, exchanges, requests, creations } = JSON.parse((await runProgram(argv)).out)
    assert.deepEqual([target, profile], [{ baseUrl: baseUrl }, 'create'])
    assert.equal(exchanges[0].target, '/pets')
    assert.ok(requests <= 80 && creations.most === 23)
    const parallelExchanges = exchanges.filter(({ group }: { group?: string }) => group === 'create-together')
    assert.equal(parallelExchanges.length, 4)
  })

  it('lists the limits for exhaust in a dry run', async () => {
    const { out } = await runProgram([baseUrl, '--dry-run', '--profile=exhaust', '--pace=0.5'], { env: {} })
    assert.match(
      out,
      / {2}throttle-key, sent up to 500 times, until the first 429; at most 20 requests are sent in parallel\n/,
    )
    assert.match(out, /The run waits for rate limits for at most 130 s[\s\S]*At 0\.5 requests per second, /)
    assert.match(out, /No animals are created, as only GET requests are sent\.\n/)
  })
})

describe('known failures', () => {
  const entry = { rule: 'LIST-2', reason: 'ticket 7' }
  const runWithKnownFailures = (content: unknown, flags: readonly string[] = [], handler = respondBroken) =>
    runProgram([baseUrl, '--only=LIST-2', '--known-failures', writeFile('known.json', content), ...flags], {
      handler,
    })

  it('are ignored until the date in their member "until"', async () => {
    const { code, out } = await runWithKnownFailures([entry])
    assert.match(out, /known {5}ticket 7\n/)
    assert.equal(code, 0)
    const expiringEntries = [{ ...entry, until: '2027-01-31' }]
    assert.equal((await runWithKnownFailures(expiringEntries, ['--now=2027-01-30'])).code, 0)
    assert.equal((await runWithKnownFailures(expiringEntries, ['--now=2027-01-31'])).code, 1)
  })

  it('fail the run when the rule holds again', async () => {
    const { code, out } = await runWithKnownFailures([entry], [], () => Response.json([]))
    assert.match(out, /LIST-2 no longer fails: remove LIST-2 from the known failures/)
    assert.equal(code, 1)
    assert.equal((await runWithKnownFailures('\ufeff[]', [], () => Response.json([]))).code, 0)
  })

  it('are written to a file for the next run', async () => {
    const path = join(folder, 'written.json')
    const firstRun = await runProgram([baseUrl, '--write-known-failures', path, '--quiet'], {
      handler: respondBroken,
    })
    const entries = JSON.parse(readText(path))
    assert.ok(entries.length > 1)
    assert.match(entries[0].reason, /^failing since 2026-11-20 or earlier: /)
    assert.equal(firstRun.code, 1)
    const repeatedArgs = [baseUrl, '--known-failures', path, '--allow-inconclusive']
    assert.equal((await runProgram(repeatedArgs, { handler: respondBroken })).code, 0)
  })

  it('are kept in a new file while they fail', async () => {
    const expiryDate = '2027-01-31'
    const otherEntries = ['AUTH-7', 'VER-1'].map((rule) => ({ rule, reason: 'old' }))
    const path = writeFile('kept.json', [{ ...entry, until: expiryDate }, ...otherEntries])
    const files = ['--known-failures', path, '--write-known-failures', path]
    await runProgram([baseUrl, '--only=LIST-2,LIST-3,AUTH-7,VER', ...files], { handler: respondBroken })
    const [first, ...rest] = JSON.parse(readText(path))
    assert.deepEqual(first, { ...entry, until: expiryDate })
    assert.ok(rest.every(({ rule }: { rule: string }) => rule !== 'VER-1' && rule !== 'LIST-2'))
  })
})

describe('the command judge', () => {
  it('prints the same verdicts for a saved report as the run did', async () => {
    const path = join(folder, 'saved.json')
    const liveRun = await runProgram([baseUrl, '--format=json'])
    writeFileSync(path, liveRun.out)
    const judgedRun = await runProgram(['judge', path, '--format=json'], { env: {} })
    assert.deepEqual(JSON.parse(judgedRun.out).rules, JSON.parse(liveRun.out).rules)
    assert.deepEqual([judgedRun.code, judgedRun.requests.length], [liveRun.code, 0])
  })

  it('applies other options to a saved report', async () => {
    const path = join(folder, 'saved.json')
    await runProgram([baseUrl, `--format=json=${path}`])
    const flags = ['--only=GET-1,RATE-8', '--now=2031-01-01', '--plan=pro', '--format=json']
    const { out, code } = await runProgram(['judge', path, ...flags])
    assert.deepEqual(listJudgedIds(out), ['GET-1', 'RATE-8'])
    const { rules } = JSON.parse(out)
    const verdict = (name: string) => rules.find(({ id }: RuleResult) => id === name).verdict
    assert.deepEqual([verdict('GET-1'), verdict('RATE-8'), code], ['not-applicable', 'fail', 1])
  })
})

describe('an interrupt', () => {
  it('ends the run after the request in flight', async () => {
    const report = join(folder, 'report.json')
    const { code, out, err, requests } = await runProgram(
      [baseUrl, '--profile=create', '--format', `json=${report}`],
      { interruptAt: 22 },
    )
    const { endedEarly, created, exchanges } = JSON.parse(readText(report))
    assert.deepEqual([code, requests.length, exchanges.length, created.length], [130, 22, 22, 3])
    assert.equal(endedEarly, 'interrupted: run the suite again')
    assert.match(err, /interrupted: finishing the request in flight; interrupt again to exit immediately\n/)
    assert.match(out, /The run ended early: interrupted: run the suite again/)
  })
})
