import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findFreePort } from '../../contracts/testing/free-port.ts'
import { combineResources, requireOnCi, testWith } from '../../contracts/testing/resource.ts'
import { createFileNamer } from '../../contracts/testing/sqlite.ts'
import { findProgram, nodeWithSqlite } from '../../examples/testing/parts.ts'
import { startForTest } from '../../examples/testing/serving.ts'
import { mainFile } from '../testing/launch.ts'
import { send } from '../testing/request.ts'

const name = 'pet-adoption-service'
const readText = (kind: string) => readFileSync(new URL(`../${name}${kind}`, import.meta.url), 'utf8')
const newFile = createFileNamer()

/** Values of a setting in a unit. */
function readSetting(kind: string, setting: string): readonly string[] {
  return [...readText(`.${kind}`).matchAll(new RegExp(`^${setting}=(.*)$`, 'gm'))].map(
    ([, value = '']) => value,
  )
}

/** Writes a script that starts the program with the given Node. */
function writeProgram(node: string): string {
  const path = newFile(name)
  writeFileSync(path, `#!/bin/sh\nexec ${node} ${mainFile} "$@"\n`)
  chmodSync(path, 0o755)
  return path
}

for (const suffix of ['', '@']) {
  testWith(requireOnCi(findProgram('systemd-analyze')))(
    `systemd accepts the units ${name}${suffix}`,
    (_t, analyze) => {
      const folder = dirname(newFile())
      const paths = ['service', 'socket'].map((kind) => {
        // systemd-analyze requires an existing program.
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

testWith(requireOnCi(combineResources(findProgram('systemd-socket-activate'), nodeWithSqlite)))(
  'the service unit starts a server on the systemd socket',
  async (t, [activate, node]) => {
    const [line = ''] = readSetting('service', 'ExecStart')
    const [, ...flags] = line.split(' ')
    const state = newFile('state')
    mkdirSync(join(state, name), { recursive: true })
    const port = await findFreePort()
    const [address = ''] = readSetting('socket', 'ListenStream')
    const variables = readSetting('service', 'Environment').flatMap((text) => [
      '-E',
      text.replace('%S', state),
    ])
    const key = 'the-key-of-the-tests'
    const { origin } = await startForTest(
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
