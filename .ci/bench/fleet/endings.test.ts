import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { withEndings } from './endings.ts'

test('what was added last ends first, once the measurement is done', async () => {
  const ended: string[] = []
  const result = await withEndings(async ({ add }) => {
    for (const name of ['folder', 'server']) add(() => void ended.push(name))
    assert.deepEqual(ended, [])
    return 7
  })
  assert.equal(result, 7)
  assert.deepEqual(ended, ['server', 'folder'])
})

test('everything ends when the measurement fails, and no signal is listened for afterwards', async () => {
  const before = process.listenerCount('SIGINT')
  const ended: string[] = []
  const failed = withEndings(async ({ add }) => {
    add(() => void ended.push('server'))
    throw new Error('a request failed')
  })
  await assert.rejects(failed, /a request failed/)
  assert.deepEqual(ended, ['server'])
  assert.equal(process.listenerCount('SIGINT'), before)
})

test('a signal ends everything before the process exits, although the measurement fails meanwhile', async () => {
  const program = `
    import { setTimeout } from 'node:timers/promises'
    import { withEndings } from ${JSON.stringify(new URL('endings.ts', import.meta.url).href)}
    await withEndings(({ add }) => new Promise((_, reject) => {
      add(async () => { await setTimeout(50); console.log('folder') })
      add(() => { reject(new Error('the server has gone')); console.log('server') })
      setInterval(() => {}, 1_000) // as the connection to a part would
      process.kill(process.pid, 'SIGINT')
    }))`
  const [code, output] = await new Promise<[unknown, string]>((resolve) => {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
    execFile(process.execPath, args, (error, stdout) => resolve([error?.code, stdout]))
  })
  assert.equal(output, 'server\nfolder\n')
  assert.equal(code, 130)
})
