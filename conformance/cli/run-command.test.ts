import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sample } from '../report/testing/sample.ts'
import { createDeployment } from '../sabotage/deployment.ts'
import { createClock, mainKey } from '../sabotage/world.ts'
import { cleanUp, readCleanup } from './cleanup.ts'
import { base, file, folder, keys, program } from './testing/program.ts'

const log = join(folder, 'calls.txt')
/** Writes its arguments and the base URL of its environment to a file. */
const deleting = file(
  'delete pet.mjs',
  `import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(log)}, JSON.stringify([...process.argv.slice(2), process.env.PET_ADOPTION_BASE_URL]) + '\\n')`,
)
const rejecting = file(
  'reject.mjs',
  `console.error('no right to delete with ' + process.env.PET_ADOPTION_API_KEY)
process.exitCode = process.argv.at(-1).endsWith('1') ? 4 : 0`,
)
const command = (script: string, ...words: readonly string[]): string =>
  [`'${process.execPath}'`, `"${script}"`, ...words].join(' ')

describe('cli --cleanup', () => {
  it('the program runs once for each created animal, without a shell, with the id as its last argument', async () => {
    const argv = [
      base,
      '--profile=create',
      '--max-requests=6',
      '--cleanup',
      command(deleting, '--env', '$HOME;*'),
    ]
    const { err, code, out } = await program(argv)
    const calls = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const ids = [...out.matchAll(/^ {2}(\d+) {2}Test[a-z]{4} /gm)].map(([, id]) => id)
    assert.equal(ids.length, 4)
    assert.deepEqual(
      calls,
      ids.map((id) => ['--env', '$HOME;*', id, base]),
    )
    assert.match(err, /cleanup: 4 of 4 animals deleted\n$/)
    assert.equal(code, 3)
  })

  it('a program that fails is reported without keys, and does not change the exit code', async () => {
    const argv = [base, '--profile=create', '--cleanup', command(rejecting)]
    const { code, err } = await program(argv, { env: { ...process.env, ...keys } as Record<string, string> })
    assert.match(
      err,
      /cleanup of \d*1 \(Test[a-z]{4} [^\n]+\) failed: exit code 4: no right to delete with \$PET_ADOPTION_API_KEY\n/,
    )
    assert.match(err, /cleanup: \d+ of \d+ animals deleted; still there: (\d*1)(, \d*1)*\n$/)
    assert.ok(!err.includes(mainKey))
    assert.equal(code, 0)
  })

  it('an id that begins with a dash comes after --, so that no program takes it for a flag', async () => {
    const before = readFileSync(log, 'utf8').length
    const created = [{ id: '-7', name: 'Testabcd neg' }]
    const sink = { isTTY: false, write: () => true }
    await cleanUp(readCleanup(command(deleting)), { ...sample, created }, {}, sink, (text) => text)
    assert.deepEqual(JSON.parse(readFileSync(log, 'utf8').slice(before)).slice(0, 2), ['--', '-7'])
  })

  it('a program that is not there is reported', async () => {
    const { code, err } = await program([base, '--profile=create', '--cleanup=/none/delete'])
    assert.match(err, /cleanup of \d+ \(Test[a-z]{4} [^\n]+\) failed: spawn \/none\/delete ENOENT\n/)
    assert.equal(code, 0)
  })

  it('a run that is interrupted or creates nothing cleans up what there is', async () => {
    const path = join(folder, 'calls.txt')
    const before = existsSync(path) ? readFileSync(path, 'utf8').length : 0
    const flags = ['--cleanup', command(deleting)]
    const { err, code } = await program([base, '--profile=create', ...flags], { interruptAt: 3 })
    assert.match(err, /cleanup: 1 of 1 animal deleted\n$/)
    assert.ok(readFileSync(path, 'utf8').length > before)
    assert.equal(code, 130)
    assert.doesNotMatch((await program([base, ...flags])).err, /cleanup/)
  })
})

describe('a file that can no longer be written after the run', () => {
  it('exits with 2, and the other reports are written and the animals deleted', async () => {
    const gone = join(folder, 'gone')
    mkdirSync(gone)
    const [lost, kept] = [join(gone, 'lost.json'), join(folder, 'kept.json')]
    const reference = createDeployment(createClock('2026-11-20T12:00:05Z'))
    const handler = (request: Request): Promise<Response> => {
      rmSync(gone, { recursive: true, force: true })
      return Promise.resolve(reference(request))
    }
    const files = ['--save-transcript', lost, `--format=tap=${join(gone, 'a')}`, `--format=json=${kept}`]
    const argv = [base, '--profile=create', ...files, '--cleanup', command(deleting)]
    const { code, err } = await program(argv, { handler })
    assert.match(err, /cleanup: \d+ of \d+ animals deleted\npet-adoption-conformance: cannot write the /)
    assert.ok(JSON.parse(readFileSync(kept, 'utf8')).created.length > 0)
    assert.equal(code, 2)
  })
})

describe('readCleanup', () => {
  it('quotes hold words together, and nothing else has a meaning', () => {
    assert.deepEqual(readCleanup(`./a b 'c d'  "e'f" --x="y z" $A|\\`), [
      './a',
      'b',
      'c d',
      "e'f",
      '--x=y z',
      '$A|\\',
    ])
  })

  it('a batch file, which a shell would run, is refused', () => {
    for (const program of ['delete-pet.cmd', '"C:\\my pets\\DELETE.BAT" --env staging'])
      assert.throws(
        () => readCleanup(program),
        /UsageError: --cleanup runs no batch file: use another program/,
      )
  })
})

describe('an interrupt', () => {
  it('an interrupted run completes its request, writes the reports and lists what it created, and exits with 130', async () => {
    const [report, transcript] = ['report.json', 'transcript.json'].map((name) => join(folder, name))
    const { code, out, err, requests } = await program(
      [base, '--profile=create', '--format', `json=${report}`, '--save-transcript', transcript ?? ''],
      { interruptAt: 5 },
    )
    const { endedEarly, created, exchanges } = JSON.parse(readFileSync(report ?? '', 'utf8'))
    assert.equal(code, 130)
    assert.equal(requests.length, 5)
    assert.equal(exchanges.length, 5)
    assert.equal(endedEarly, 'it was interrupted: run it again')
    assert.equal(JSON.parse(readFileSync(transcript ?? '', 'utf8')).exchanges.length, 5)
    assert.equal(created.length, 3)
    assert.match(err, /interrupted: the request under way is completed; interrupt again to end at once\n/)
    assert.match(
      err,
      /the run created 3 animals at http:\/\/reference\.test\/v1:\n(?: {2}\d+ {2}Test[a-z]{4} [^\n]+\n){3}$/,
    )
    assert.match(out, /The run ended early: it was interrupted: run it again/)
  })

  it('an interrupt ends a wait at once', async () => {
    let sent = 0
    const reference = createDeployment(createClock('2026-11-20T12:00:05Z'))
    const handler = (request: Request): Response | Promise<Response> => {
      sent += 1
      if (sent < 3) return reference(request)
      return Response.json(
        { code: 'slow', message: 'Slow down.', status: 429 },
        { status: 429, headers: { 'retry-after': '60' } },
      )
    }
    const { code, requests } = await program([base], { handler, interruptAt: 3 })
    assert.deepEqual([code, requests.length], [130, 3])
  })

  it('a run of which the last request is interrupted exits with 130 as well', async () => {
    const { requests } = await program([base])
    const { code } = await program([base], { interruptAt: requests.length })
    assert.equal(code, 130)
  })
})
