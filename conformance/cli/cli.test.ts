import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { formatNames } from '../report/formats.ts'
import { createDeployment } from '../sabotage/deployment.ts'
import { createClock, mainKey, throttleKey } from '../sabotage/world.ts'
import { flagsOf } from './arguments/flags.ts'
import { cli } from './cli.ts'
import { base, file, folder, keys, program } from './testing/program.ts'

const broken = (): Response => Response.json([], { headers: { 'content-type': 'text/html' } })

describe('cli', () => {
  it('a run exits with 0 if every rule holds', async () => {
    const { code, out, err } = await program([base])
    assert.match(
      out,
      /^http:\/\/reference\.test\/v1\n[\s\S]*\nEvery requirement that was judged holds\nexit code 0\n$/,
    )
    assert.deepEqual({ code, err }, { code: 0, err: '' })
  })

  it('a run exits with 1 if a MUST is broken', async () => {
    const { code, out } = await program([base, '--only=LIST-2'], { handler: broken })
    assert.match(
      out,
      /✗ LIST-2[\s\S]*1 requirement of the interface broken: LIST-2\nexit code 1: fix what is broken, or list it [^\n]+\n$/,
    )
    assert.equal(code, 1)
  })

  it('a run without any response exits with 3, even with --allow-inconclusive', async () => {
    const handler = (): never => {
      throw new Error('connection refused')
    }
    const { code, out } = await program([base, '--allow-inconclusive'], { handler })
    assert.match(out, /The run ended early: .*connection refused/)
    assert.equal(code, 3)
  })

  it('a run without evidence for a MUST exits with 3, or with 0 if that is allowed', async () => {
    const handler = (): Response => Response.json([])
    const argv = [base, '--only', 'LIST-12']
    assert.equal((await program(argv, { handler })).code, 3)
    assert.equal((await program([...argv, '--allow-inconclusive'], { handler })).code, 0)
  })

  it('a defect of the suite exits with 70 and a message without the key', async () => {
    const stdout = {
      write: () => {
        throw new Error(`cannot write ${mainKey}`)
      },
    }
    let err = ''
    const stderr = { write: (text: string) => (err += text) }
    const code = await cli({
      argv: [base],
      env: keys,
      stdout,
      stderr,
      run: { fetch: broken, clock: createClock('2026-11-20T12:00:05Z') },
    })
    assert.equal(code, 70)
    assert.match(
      err,
      /a defect of the suite; please report this:\nError: cannot write \$PET_ADOPTION_API_KEY\n/,
    )
  })

  it('--wait requests a list without a key until a response is not from a gateway alone', async () => {
    let asked = 0
    const handler = (request: Request): Response | Promise<Response> => {
      asked += 1
      if (asked === 1) throw new Error('connection refused')
      return asked < 4 ? new Response('', { status: 503 }) : deployment(request)
    }
    const deployment = createDeployment(createClock('2026-11-20T12:00:05Z'))
    const { code, err, requests } = await program([base, '--wait=30'], { handler })
    assert.equal(err, 'waiting up to 30 s for http://reference.test/v1\n')
    assert.deepEqual(
      requests.slice(0, 5).map(({ headers }) => headers.has('authorization')),
      [false, false, false, false, true],
    )
    assert.equal(code, 0)
  })

  it('--wait ends, and the run says what is wrong', async () => {
    const handler = (): never => {
      throw new Error('connection refused')
    }
    const { code, out } = await program([base, '--wait=2'], { handler })
    assert.match(out, /connection refused[\s\S]*\nexit code 3: the run ended early: [^\n]+\n$/)
    assert.equal(code, 3)
  })

  it('flags override the environment', async () => {
    const { requests } = await program([base, '--key', 'other'])
    assert.equal(requests[0]?.headers.get('authorization'), 'Bearer other')
  })

  it('a run sends only GET by default, and writes to stderr only on a terminal', async () => {
    const { requests, err } = await program([base])
    assert.ok(requests.length > 0 && requests.length <= 40)
    assert.deepEqual([...new Set(requests.map(({ method }) => method))], ['GET'])
    assert.equal(err, '')
  })

  it('a run that creates or exhausts first announces what it does', async () => {
    const { err, requests } = await program([base, '--profile=all'])
    assert.match(err, /^Profile all against http:\/\/reference\.test\/v1:\nAt most \d+ requests/)
    assert.match(err, /At most \d+ with the throttle key/)
    const marker = /Each has (Test[a-z]+) in its name/.exec(err)?.[1] ?? 'none'
    const posts = requests.filter(({ method }) => method === 'POST')
    assert.ok((await posts[0]?.text())?.includes(marker))
  })

  it('the progress on a terminal names the current request without its query, and is erased afterwards', async () => {
    const { err } = await program([base], { isTTY: true })
    assert.ok(err.startsWith('\r\u001b[Krequest 1: GET /pets\r\u001b[Krequest 2: GET /pets\r'))
    assert.ok(err.endsWith('\r\u001b[K'))
  })

  it('the progress on a terminal names the wait after a 429', async () => {
    const { err } = await program([base, '--profile=exhaust'], { isTTY: true })
    assert.match(err, /\r\S+waiting \d+ s after request \d+\r/)
  })

  it('output has colour on a terminal only', async () => {
    assert.ok((await program([base], { isTTY: true })).out.includes('\u001b['))
    assert.ok(!(await program([base])).out.includes('\u001b['))
    assert.ok(
      !(await program([base], { isTTY: true, env: { ...keys, NO_COLOR: '1' } })).out.includes('\u001b['),
    )
  })

  it('every format is printed with --format', async () => {
    const beginnings = {
      pretty: 'http://reference.test/v1\n',
      json: '{\n  "suite": {',
      junit: '<?xml version="1.0"',
      tap: 'TAP version 14\n',
      markdown: '# Pet adoption service',
      html: '<!doctype html>',
      github: 'http://reference.test/v1: ',
      sarif: '{\n  "$schema": ',
      prometheus: '# HELP pet_adoption_conformance_rule ',
    }
    for (const [format, beginning] of Object.entries(beginnings)) {
      const { out, code } = await program([base, '--only=LIST', `--format=${format}`])
      assert.ok(out.startsWith(beginning), `${format}: ${out.slice(0, 80)}`)
      assert.equal(code, 0)
    }
  })

  it('--out writes the report to a file without colour, and a summary to the terminal', async () => {
    const path = join(folder, 'report.txt')
    const { out } = await program([base, '--out', path], { isTTY: true })
    assert.match(readFileSync(path, 'utf8'), /^http:\/\/reference\.test\/v1\n/)
    assert.equal(out.split('\n').length, 5)
    assert.ok(out.includes('Every requirement that was judged holds'))
  })

  it('a run in GitHub Actions adds the Markdown report to the step summary', async () => {
    const path = file('summary.md', 'before\n')
    await program([base, '--format=github'], { env: { ...keys, GITHUB_STEP_SUMMARY: path } })
    assert.match(readFileSync(path, 'utf8'), /^before\n# Pet adoption service: conformance report\n/)
  })

  it('--list prints every rule and requires no base URL', async () => {
    const { out, code, requests } = await program(['--list'], { env: {} })
    assert.match(out, /^LIST-1 {5}MUST {4}4\.1 {3}read {5}/m)
    assert.deepEqual([code, requests.length], [0, 0])
  })

  it('--help and --version print the help and the version', async () => {
    assert.match(
      (await program(['--help'], { env: {} })).out,
      /^Judges a deployment[\s\S]*--known-failures FILE/,
    )
    assert.match(
      (await program(['--version'], { env: {} })).out,
      /^pet-adoption-conformance \d+\.\d+\.\d+\n$/,
    )
  })

  it('compare --help names the formats that compare accepts, and no other', async () => {
    const { out } = await program(['compare', '--help'], { env: {} })
    const [, listed = ''] = /--format NAME\[=FILE\] +([^;]+);/.exec(out) ?? []
    for (const format of formatNames) {
      const { err } = await program(['compare', 'a.json', 'b.json', `--format=${format}`], { env: {} })
      assert.equal(!/--format must be one of/.test(err), listed.split(/,\s+/).includes(format), format)
    }
  })

  it('judge --help and compare --help print the flags of these commands only', async () => {
    for (const command of ['judge', 'compare'] as const) {
      const { out } = await program([command, '--help'], { env: {} })
      const shown = [...out.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name]) => name)
      assert.deepEqual(shown, flagsOf[command])
    }
  })
})

describe('cli --dry-run', () => {
  it('--dry-run prints the requests and their cost, requires no key, and sends nothing', async () => {
    const { out, code, requests } = await program([base, '--dry-run', '--profile=create'], { env: {} })
    assert.match(
      out,
      /^Profile create would send to http:\/\/reference\.test\/v1, one at a time:\n\n {3}1 {2}GET {2}\/pets /,
    )
    assert.match(out, /POST \/pets .*the key\n {11}\{"name":"<run> ava"/)
    assert.match(
      out,
      /At most \d+ requests, \d+ of them with the key: [\d.]+ % of a Free key's minute \(60\) and [\d.]+ % of its day \(1,000\)\./,
    )
    assert.match(out, /At most \d+ animals could be created[\s\S]*Nothing was sent\.\n$/)
    assert.deepEqual([code, requests.length], [0, 0])
  })

  it('--dry-run states that read creates nothing, and how many requests a burn sends', async () => {
    const { out } = await program([base, '--dry-run', '--profile=exhaust'], { env: {} })
    assert.match(out, /the throttle key, up to 500 times, until the first 429\n/)
    assert.match(out, /No animal can be created: only GET is sent\.\n/)
    assert.ok(!out.includes(throttleKey))
  })
})

describe('cli --only and --skip', () => {
  const judged = async (...flags: readonly string[]): Promise<readonly string[]> => {
    const { out } = await program([base, '--format=json', ...flags])
    return JSON.parse(out).rules.flatMap((rule: { id: string; deselected?: string }) =>
      rule.deselected === undefined ? [rule.id] : [],
    )
  }

  it('--only and --skip choose rules by id and by family', async () => {
    assert.deepEqual(await judged('--only', 'LIST-1,LIST-3'), ['LIST-1', 'LIST-3'])
    const family = await judged('--only=LIST', '--skip=LIST-3')
    assert.ok(family.length > 5 && family.every((id) => id.startsWith('LIST-') && id !== 'LIST-3'))
  })
})

describe('cli --known-failures', () => {
  const entry = { rule: 'LIST-2', reason: 'ticket 7' }

  it('a file of known failures may be empty, and begin with a byte order mark', async () => {
    const path = file('known.json', '\ufeff[]')
    assert.equal((await program([base, '--only=LIST-2', '--known-failures', path])).code, 0)
  })

  it('known failures are reported and do not change the exit code', async () => {
    const path = file('known.json', [entry])
    const { code, out } = await program([base, '--only=LIST-2', '--known-failures', path], {
      handler: broken,
    })
    assert.match(out, /known {5}ticket 7\n/)
    assert.equal(code, 0)
  })

  it('known failures count again after their date, by the clock of the suite', async () => {
    const path = file('known.json', [{ ...entry, until: '2027-01-31' }])
    const argv = [base, '--only=LIST-2', '--known-failures', path]
    assert.equal((await program([...argv, '--now=2027-01-30'], { handler: broken })).code, 0)
    assert.equal((await program([...argv, '--now=2027-02-01'], { handler: broken })).code, 1)
  })

  it('known failures that no longer fail exit with 1', async () => {
    const path = file('known.json', [entry])
    const { code, out } = await program([base, '--only=LIST-2', '--known-failures', path])
    assert.match(out, /LIST-2 no longer fails: remove LIST-2 from the known failures/)
    assert.equal(code, 1)
  })

  it('--write-known-failures writes what fails, and a run with that file exits with 0', async () => {
    const path = join(folder, 'written.json')
    const first = await program([base, '--write-known-failures', path, '--quiet'], { handler: broken })
    const entries = JSON.parse(readFileSync(path, 'utf8'))
    assert.ok(entries.length > 1)
    assert.match(entries[0].reason, /^since 2026-11-20 or earlier: /)
    assert.equal(first.code, 1)
    const again = [base, '--known-failures', path, '--allow-inconclusive']
    assert.equal((await program(again, { handler: broken })).code, 0)
  })

  it('--write-known-failures retains what is known and still fails, and leaves out what passes', async () => {
    const until = '2027-01-31'
    const path = file('kept.json', [
      { ...entry, until },
      { rule: 'AUTH-7', reason: 'old' },
      { rule: 'VER', reason: 'old' },
    ])
    const flags = [
      '--only=LIST-2,LIST-3,AUTH-7,VER',
      '--known-failures',
      path,
      '--write-known-failures',
      path,
    ]
    await program([base, ...flags], { handler: broken })
    const [first, ...others] = JSON.parse(readFileSync(path, 'utf8'))
    assert.deepEqual(first, { ...entry, until })
    assert.ok(others.every(({ rule }: { rule: string }) => rule !== 'VER' && rule !== 'LIST-2'))
  })

  it('judge writes known failures, too', async () => {
    const transcript = join(folder, 'to-judge.json')
    const path = join(folder, 'judged.json')
    await program([base, '--save-transcript', transcript], { handler: broken })
    await program(['judge', transcript, '--write-known-failures', path, '--only=LIST-2'])
    assert.deepEqual(
      JSON.parse(readFileSync(path, 'utf8')).map(({ rule }: { rule: string }) => rule),
      ['LIST-2'],
    )
  })
})

describe('cli judge', () => {
  it('judging a saved transcript returns the same verdicts and sends nothing', async () => {
    const path = join(folder, 'transcript.json')
    const live = await program([base, '--format=json', '--save-transcript', path])
    const again = await program(['judge', path, '--format=json'], { env: {} })
    assert.deepEqual(JSON.parse(again.out).rules, JSON.parse(live.out).rules)
    assert.deepEqual([again.code, again.requests.length], [live.code, 0])
  })

  it('a saved transcript can be judged with other rules, another clock and another plan', async () => {
    const path = join(folder, 'transcript.json')
    await program([base, '--save-transcript', path])
    const { out } = await program([
      'judge',
      path,
      '--only=LIST-1',
      '--now=2031-01-01',
      '--plan=pro',
      '--format=tap',
    ])
    assert.match(out, /^ok \d+ - LIST-1 [^#]*$/m)
    assert.match(out, /^ok \d+ - LIST-2 .* # SKIP not-run/m)
  })
})
