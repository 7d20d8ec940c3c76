import assert from 'node:assert/strict'
import { testWith } from '../../contracts/testing/resource.ts'
import { unlimitedEnv } from '../testing/animals.ts'
import { fail, run, stop } from '../testing/command.ts'
import { startServer } from '../testing/program.ts'
import { send } from '../testing/request.ts'
import { createTemporaryStorages } from '../testing/storages.ts'

const [int64Min, int64Max] = ['-9223372036854775808', '9223372036854775807']
const rex = `{"id":1,"name":"Rex","categoryId":${int64Max},"status":"available"}\n`
const tom = `{"id":2,"name":"T\\u001b[2J\\nom","categoryId":7}\n`
const mia = `{"id":9007199254740991,"name":"Mia","categoryId":7,"status":"sold"}\n`

const fill = (flag: string, stdin = rex + tom + mia) => run(`import ${flag} --keep-ids -`, { stdin })

for (const [name, storage] of Object.entries(await createTemporaryStorages())) {
  const storageTest = testWith(storage)

  storageTest(`animals set and animals remove change animals in ${name}`, async (_t, newStorage) => {
    const flag = await newStorage()
    await fill(flag)
    assert.match(
      await run(`animals set 2 --category 8 ${flag}`),
      /^name {6}"T\\u001b\[2J\\nom"\ncategory {2}8\nstatus {4}none$/m,
    )
    const all = ['--name', 'Rex "II" 🐕', '--category', int64Min, '--status', 'sold']
    assert.equal(
      await run(['animals', 'set', '1', ...all, '--json', ...flag.split(' ')]),
      `{"id":1,"name":"Rex \\"II\\" 🐕","categoryId":${int64Min},"status":"sold"}\n`,
    )
    assert.equal(
      await run(`animals set 1 --status none ${flag}`),
      `id        1\nname      "Rex \\"II\\" 🐕"\ncategory  ${int64Min}\nstatus    none\n`,
    )
    await run(`animals set 1 --name Max ${flag}`)
    assert.equal(await run(`animals remove 2 ${flag}`), 'removed animal 2\n')
    for (const [command, id] of [
      ['set 2 --name Tim', '2'],
      ['remove 2', '2'],
      [`remove ${int64Max}`, int64Max],
      ['remove -- -1', '-1'],
    ] as const) {
      const message = `animal ${id} does not exist`
      assert.deepEqual(await fail(`animals ${flag} ${command}`), [1, message])
    }
    assert.equal(await run(`export ${flag}`), `{"id":1,"name":"Max","categoryId":${int64Min}}\n${mia}`)
  })

  storageTest(`a server with ${name} returns changes by commands immediately`, async (_t, newStorage) => {
    const flag = await newStorage()
    await fill(flag)
    const { base, ...server } = await startServer(`--port 0 --log silent ${flag}`, { env: unlimitedEnv })
    const createPage = (...lines: readonly string[]) => `[${lines.map((line) => line.trimEnd()).join()}]`
    /** Requests everything twice: the second time from the cache. */
    async function expectAll(...expected: readonly string[]): Promise<void> {
      const paths = ['/1', '?limit=2', '?status=available&limit=1', '?status=sold&limit=1']
      for (const [i, path] of [...paths, ...paths].entries()) {
        const { status, body } = await send(`${base}/pets${path}`, { key: 'the-key-of-the-tests' })
        assert.equal(status === 200 ? body : String(status), expected[i % paths.length])
      }
    }
    const before = [rex.trimEnd(), createPage(rex, tom), createPage(rex), createPage(mia)]
    await expectAll(...before)
    const sold = await run(`animals set 1 --status sold --json ${flag}`)
    assert.equal(sold, rex.replace('available', 'sold'))
    await expectAll(sold.trimEnd(), createPage(sold, tom), '[]', createPage(sold))
    await run(`animals remove 1 ${flag}`)
    await expectAll('404', createPage(tom, mia), '[]', createPage(mia))
    await fill(flag, rex)
    await expectAll(...before)
    await stop(server)
  })
}
