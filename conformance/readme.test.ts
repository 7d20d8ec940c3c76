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
import { closeServer, listen } from '../adapters/testing/listen.ts'
import { createKeyStore, createPetService, sha256 } from '../core/index.ts'
import { flags } from './cli/flags.ts'
import { failureCodes, interruptCodes } from './cli/values.ts'
import { judge } from './judge/judge.ts'
import { readReport } from './judge/read-report.ts'
import { formatNames } from './report/formats.ts'
import { formatPretty } from './report/pretty.ts'
import { verdictNames } from './report/report.ts'
import { catalogue } from './rules/catalogue.ts'
import { profiles } from './steps/profile.ts'
import {
  animals,
  buildTranscript,
  createHeaders,
  keyStepIds,
  otherStepIds,
  scriptEach,
  scriptJson,
} from './testing/recorded.ts'

const manual = readFileSync(new URL('README.md', import.meta.url), 'utf8')

/** Reads a table in the manual, by its first heading. */
function readTable(head: string): readonly (readonly string[])[] {
  const lines = manual.split('\n')
  const tableStart = lines.findIndex((line) => line.startsWith(`| ${head} |`))
  assert.ok(tableStart >= 0, `the manual has no table of ${head}`)
  const rows = lines.slice(tableStart + 2)
  const tableEnd = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, tableEnd).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function listNames(head: string): readonly string[] {
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
  await closeServer(server)
  rmSync(folder, { recursive: true })
})

/** Runs an example from the manual, and returns its output. */
async function runExample(name: string, ...args: readonly string[]): Promise<string> {
  const path = fileURLToPath(new URL(`examples/${name}`, import.meta.url))
  // Otherwise the example's tests would count as tests of this run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', path, ...args], {
    env: { ...env, PET_ADOPTION_API_KEY: key, BASE_URL: baseUrl },
  }).catch((error: { stdout: string; code: number }) => {
    // On an empty deployment, some requirements cannot be judged.
    assert.equal(error.code, name === 'tests.ts' ? 1 : 3)
    return error
  })
  return stdout
}

describe("the suite's manual", () => {
  it('names existing flags only', () => {
    const lines = manual.split('\n').filter((line) => !/\bpet-adoption-service --|tsx --test/.test(line))
    const namedFlags = [...lines.join('\n').matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(
      ([, name = '']) => name,
    )
    assert.ok(namedFlags.length > 25)
    for (const name of namedFlags) assert.ok(Object.hasOwn(flags, name), `--${name}`)
  })

  it('describes every profile', () => {
    assert.deepEqual(listNames('Profile').slice(0, profiles.length), profiles)
  })

  it('describes every verdict, format and exit code', () => {
    assert.deepEqual(listNames('Verdict').toSorted(), verdictNames.toSorted())
    assert.deepEqual(listNames('Format'), formatNames)
    const codes = readTable('Code').map(([code]) => Number(code))
    assert.deepEqual(codes, [
      0,
      1,
      failureCodes.usage,
      3,
      failureCodes.defect,
      ...Object.values(interruptCodes),
    ])
  })

  const isWindows = process.platform === 'win32' && 'the manual has the command of a POSIX shell'

  it('quotes a report as the suite prints it', { skip: isWindows }, () => {
    const [, excerpt = ''] = /## Causes[\s\S]*?```text\n([\s\S]*?)\n```/.exec(manual) ?? []
    // A deployment with three faults.
    const limits = { 'x-ratelimit-limit': undefined, 'x-ratelimit-remaining': undefined }
    const anonymousHeaders = createHeaders({
      ...limits,
      'x-ratelimit-reset': undefined,
      'www-authenticate': 'Bearer',
    })
    const relativeReset = { headers: createHeaders({ 'x-ratelimit-reset': '60' }) }
    const petPage = animals.slice(0, 20).map((pet) => (pet.id === 4 ? { ...pet, categoryId: null } : pet))
    const transcript = buildTranscript('read', {
      ...scriptEach(keyStepIds, relativeReset),
      ...scriptEach(
        otherStepIds.filter((id) => id !== 'key-other-case'),
        { headers: anonymousHeaders },
      ),
      list: { ...scriptJson(200, petPage), ...relativeReset },
    })
    const report = formatPretty(judge(transcript), { color: false, columns: 100 })
    const excerptParts = excerpt
      .split('\n\n')
      .filter((block) => block !== '…')
      .map((block) => report.indexOf(`\n\n${block}\n\n`))
    assert.equal(excerptParts.length, 3)
    assert.ok(excerptParts.every((place) => place >= 0))
    assert.deepEqual(
      excerptParts,
      excerptParts.toSorted((a, b) => a - b),
    )
  })

  it('has an example that runs the suite', async () => {
    assert.equal(await runExample('run.ts', baseUrl), '')
  })

  it('has an example that saves and judges a report', async () => {
    const path = join(folder, 'report.json')
    assert.match(await runExample('save.ts', baseUrl, path), /pass: [1-9]\d*,\s+fail: 0/)
    assert.ok(readReport(readFileSync(path, 'utf8')).exchanges.length > 0)
  })

  it('has an example that defines a test per rule', async () => {
    const programOutput = await runExample('tests.ts')
    assert.match(programOutput, new RegExp(`tests ${catalogue.length}\\b`))
  })
})
