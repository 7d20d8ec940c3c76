import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import { testWith } from '../contracts/testing/resource.ts'
import { createFileNamer } from '../contracts/testing/sqlite.ts'
import { missingFeatures } from '../testing/machine.ts'
import { createKeyRecord } from './keys/key-list.ts'
import { run } from './testing/command.ts'
import { launch, mainFile } from './testing/launch.ts'
import { createTemporaryStorages } from './testing/storages.ts'

const newFile = createFileNamer()
const { PostgreSQL } = await createTemporaryStorages()
const it = testWith(PostgreSQL)
const skip = !existsSync('/dev/full') && 'no /dev/full on this system'

describe('output that cannot be written', { skip }, () => {
  for (const command of [
    '--version',
    '--help',
    'keygen --id me --plan pro',
    'keys list STORAGE',
    'export STORAGE',
  ])
    it(`makes the command fail: ${command}`, async (_t, newStorage) => {
      const storage = command.includes('STORAGE') ? await newStorage() : ''
      if (storage) await run(`import ${storage} -`, { stdin: '{"name":"Rex","categoryId":1}\n' })
      const full = openSync('/dev/full', 'w')
      const { stderr, end } = launch(command.replace('STORAGE', storage), { stdout: full })
      assert.equal(await end, 1)
      assert.match(stderr.text, /^pet-adoption-service: .*ENOSPC/)
      closeSync(full)
    })

  for (const command of ['issue --id second --plan free', 'rotate --id first'])
    for (const [problem, shell] of [
      ['a full disk', 'exec >/dev/full'],
      ['a closed pipe', 'mkfifo FIFO && exec 3<>FIFO && exec >FIFO && exec 3<&-'],
    ] as const)
      it(`leaves the keys unchanged: keys ${command}, ${problem}`, async (_t, newStorage) => {
        const storage = await newStorage()
        await run(`keys issue ${storage} --id first --plan pro`)
        const before = await run(`keys list --json ${storage}`)
        const { stderr, end } = launch(`keys ${command} --json ${storage}`, {
          shell: shell.replaceAll('FIFO', newFile('fifo')),
        })
        assert.equal(await end, 1)
        assert.match(stderr.text, /^pet-adoption-service: cannot write the output: /)
        assert.equal(await run(`keys list --json ${storage}`), before)
      })
})

describe('long output', { skip: missingFeatures.sh }, () => {
  it('fails if a file reaches its maximum size', async () => {
    const file = openSync(newFile('part'), 'w')
    const { stderr, end } = launch('--help', { stdout: file, shell: 'ulimit -f 1' })
    assert.equal(await end, 1)
    assert.match(stderr.text, /^pet-adoption-service: cannot write the output: EFBIG/)
    closeSync(file)
  })

  it('is complete if the pipe is read slowly', async (_t, newStorage) => {
    const storage = await newStorage()
    const list = newFile('keys.json')
    const keys = Array.from({ length: 1_000 }, (_, i) =>
      createKeyRecord(`key-${i}`, `key-${i}`, { plan: 'pro' }),
    )
    writeFileSync(list, JSON.stringify({ keys }))
    await run(`keys import ${list} ${storage}`)
    // The reader starts late, so the pipe is full when the command has finished.
    const line = '"$@" | (sleep 2; cat)'
    const args = [process.execPath, mainFile, 'keys', 'list', '--json', ...storage.split(' ')]
    const { stdout } = spawnSync('/bin/sh', ['-c', line, 'sh', ...args], { maxBuffer: 2 ** 24 })
    assert.equal(JSON.parse(String(stdout)).length, 1_000)
  })
})
