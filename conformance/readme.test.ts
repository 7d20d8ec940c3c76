import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createNodeHandler, serverOptions } from '../adapters/node-http/index.ts'
import { listen, shut } from '../adapters/testing/listen.ts'
import { createKeyStore, createPetService, sha256 } from '../core/index.ts'
import { flags } from './cli/flags.ts'
import { interrupted } from './cli/output.ts'
import { failureCodes } from './cli/values.ts'
import { judge } from './judge/judge.ts'
import { readTranscript } from './judge/saved-transcript.ts'
import { formatNames } from './report/formats.ts'
import { pretty } from './report/pretty.ts'
import { verdictNames } from './report/report.ts'
import { catalogue } from './rules/catalogue.ts'
import { profiles } from './steps/profile.ts'
import { animals, each, headers, json, keyedIds, otherIds, recorded } from './testing/recorded.ts'

const manual = readFileSync(new URL('README.md', import.meta.url), 'utf8')

/** The cells of a table of the manual, by the first cell of its head. */
function readTable(head: string): readonly (readonly string[])[] {
  const lines = manual.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`))
  assert.ok(start >= 0, `the manual has no table of ${head}`)
  const rows = lines.slice(start + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** The words in backticks in the first cells of a table. */
function namesIn(head: string): readonly string[] {
  return readTable(head).flatMap(([first = '']) =>
    [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
}

const key = 'key-of-the-manual'
const folder = mkdtempSync(join(tmpdir(), 'conformance-readme-'))
const server = createServer(
  serverOptions,
  createNodeHandler(
    createPetService({ keys: createKeyStore([{ id: 'manual', sha256: sha256(key), plan: 'pro' }]) }),
  ),
)
const baseUrl = `http://127.0.0.1:${await listen(server)}/v1`
after(async () => {
  await shut(server)
  rmSync(folder, { recursive: true })
})

/** Runs an example of the manual to its end, and returns its output. */
async function example(name: string, ...args: readonly string[]): Promise<string> {
  const path = fileURLToPath(new URL(`examples/${name}`, import.meta.url))
  // an example with tests is not one of this run
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', path, ...args], {
    env: { ...env, PET_ADOPTION_API_KEY: key, BASE_URL: baseUrl },
  }).catch((error: { stdout: string; code: number }) => {
    // 3: on an empty deployment, some requirements cannot be judged
    assert.equal(error.code, name === 'tests.ts' ? 1 : 3)
    return error
  })
  return stdout
}

describe('the manual of the suite', () => {
  it('names only flags of the programs', () => {
    const lines = manual.split('\n').filter((line) => !/\bpet-adoption-service --|tsx --test/.test(line))
    const named = [...lines.join('\n').matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, name = '']) => name)
    assert.ok(named.length > 25)
    for (const name of named) assert.ok(Object.hasOwn(flags, name), `--${name}`)
  })

  it('lists every profile', () => {
    assert.deepEqual(namesIn('Profile').slice(0, profiles.length), profiles)
  })

  it('lists every verdict, format and exit code', () => {
    assert.deepEqual(namesIn('Verdict').toSorted(), verdictNames.toSorted())
    assert.deepEqual(namesIn('Format'), formatNames)
    const codes = readTable('Code').map(([code]) => Number(code))
    assert.deepEqual(codes, [0, 1, failureCodes.usage, 3, failureCodes.defect, interrupted])
  })

  const isWindows = process.platform === 'win32' && 'the manual has the command of a POSIX shell'

  it('has an excerpt of a report as the suite prints it', { skip: isWindows }, () => {
    const [, excerpt = ''] = /## Causes[\s\S]*?```text\n([\s\S]*?)\n```/.exec(manual) ?? []
    // a deployment with three faults
    const limits = { 'x-ratelimit-limit': undefined, 'x-ratelimit-remaining': undefined }
    const anonymous = headers({ ...limits, 'x-ratelimit-reset': undefined, 'www-authenticate': 'Bearer' })
    const relative = { headers: headers({ 'x-ratelimit-reset': '60' }) }
    const page = animals.slice(0, 20).map((pet) => (pet.id === 4 ? { ...pet, categoryId: null } : pet))
    const transcript = recorded('read', {
      ...each(keyedIds, relative),
      ...each(
        otherIds.filter((id) => id !== 'key-other-case'),
        { headers: anonymous },
      ),
      list: { ...json(200, page), ...relative },
    })
    const report = pretty(judge(transcript), { color: false, columns: 100 })
    const places = excerpt
      .split('\n\n')
      .filter((block) => block !== '…')
      .map((block) => report.indexOf(`\n\n${block}\n\n`))
    assert.equal(places.length, 3)
    assert.ok(places.every((place) => place >= 0))
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    )
  })

  it('has an example that prints broken rules and sets the exit code', async () => {
    assert.equal(await example('run.ts', baseUrl), '')
  })

  it('has an example that saves a transcript and prints a summary', async () => {
    const path = join(folder, 'transcript.json')
    assert.match(await example('save.ts', baseUrl, path), /pass: [1-9]\d*,\s+fail: 0/)
    assert.ok(readTranscript(readFileSync(path, 'utf8')).exchanges.length > 0)
  })

  it('has an example that defines a test for each rule', async () => {
    const output = await example('tests.ts')
    assert.match(output, new RegExp(`tests ${catalogue.length}\\b`))
  })
})
