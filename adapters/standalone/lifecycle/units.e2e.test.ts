import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../../contracts/testing/free-port.ts'
import { allOf, required, testWith } from '../../contracts/testing/part.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { nodeWithSqlite, program } from '../../examples/testing/parts.ts'
import { serving } from '../../examples/testing/serving.ts'
import { main } from '../testing/launch.ts'
import { send } from '../testing/request.ts'

const name = 'pet-adoption-service'
const readText = (kind: string) => readFileSync(new URL(`../${name}${kind}`, import.meta.url), 'utf8')
const newFile = temporaryFiles()

/** Returns the values of a setting of the unit, in their order. */
function settings(kind: string, setting: string): readonly string[] {
  return [...readText(`.${kind}`).matchAll(new RegExp(`^${setting}=(.*)$`, 'gm'))].map(
    ([, value = '']) => value,
  )
}

/** Writes the program that the unit starts, which npm makes on a real machine. */
function writeProgram(node: string): string {
  const path = newFile(name)
  writeFileSync(path, `#!/bin/sh\nexec ${node} ${main} "$@"\n`)
  chmodSync(path, 0o755)
  return path
}

for (const suffix of ['', '@']) {
  testWith(required(program('systemd-analyze')))(
    `systemd finds no mistake in the units ${name}${suffix}`,
    (_t, analyze) => {
      const folder = dirname(newFile())
      const paths = ['service', 'socket'].map((kind) => {
        // The service of the instances is a copy of the service.
        const text = readText(kind === 'socket' ? `${suffix}.socket` : '.service').replace(
          /^ExecStart=\S+/m,
          `ExecStart=${process.execPath}`,
        )
        writeFileSync(join(folder, `${name}${suffix}.${kind}`), text)
        return join(folder, `${name}${suffix && '@1'}.${kind}`)
      })
      const { status, stdout, stderr } = spawnSync(analyze, ['verify', '--recursive-errors=no', ...paths])
      assert.deepEqual([status, String(stdout), String(stderr)], [0, '', ''])
    },
  )
}

testWith(required(allOf(program('systemd-socket-activate'), nodeWithSqlite)))(
  'the command line of the unit serves on the socket of systemd, with the variables of the unit',
  async (t, [activate, node]) => {
    const [line = ''] = settings('service', 'ExecStart')
    const [, ...flags] = line.split(' ')
    const state = newFile('state')
    mkdirSync(join(state, name), { recursive: true })
    const port = await freePort()
    const [address = ''] = settings('socket', 'ListenStream')
    const variables = settings('service', 'Environment').flatMap((text) => ['-E', text.replace('%S', state)])
    const key = 'the-key-of-the-tests'
    const { origin } = await serving(
      t,
      [
        activate,
        ...['-l', address.replace(/:\d+$/, `:${port}`), ...variables, '-E', `PET_ADOPTION_API_KEY=${key}`],
        ...[writeProgram(node), ...flags],
      ],
      { port },
    )
    assert.equal((await send(`${origin}/v1/pets`, { key })).status, 200)
    const files = execFileSync('ls', [join(state, name)], { encoding: 'utf8' })
    assert.match(files, /^animals\.sqlite$/m)
  },
)
