import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { testWith } from '../../contracts/testing/part.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { run, stop } from '../testing/command.ts'
import { startServer } from '../testing/program.ts'
import { send } from '../testing/request.ts'

const it = testWith(sqlite)
const newFile = temporaryFiles()
const key = 'the-key-of-the-tests'

describe('backup FILE', () => {
  it('copies what a running server has just stored', async () => {
    const [file, copy] = [newFile(), newFile('backup.sqlite')]
    const server = await startServer(`--port 0 --data ${file}`, { env: { PET_ADOPTION_API_KEY: key } })
    const body = '{"name":"Rex","categoryId":9007199254740993}'
    await send(`${server.base}/pets`, { method: 'POST', key, body })
    await run(`keys issue --data ${file} --id shelter --plan pro`)
    assert.equal(await run(`backup --data ${file} ${copy}`), `copied the storage to ${copy}\n`)
    for (const command of ['export', 'keys list --json'])
      assert.equal(await run(`${command} --data ${copy}`), await run(`${command} --data ${file}`))
    await stop(server)
  })
})
