import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTemporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { loadDriver } from './load-driver.ts'

const folder = createTemporaryFolder()

test('drivers are not loaded from the working directory', async (t) => {
  const before = process.cwd()
  for (const name of ['pg', 'ioredis', 'fast-redis']) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    writeFileSync(join(folder, 'node_modules', name, 'index.js'), 'exports.isPlanted = true')
  }
  process.chdir(folder)
  t.after(() => process.chdir(before))
  for (const name of ['pg', 'ioredis'] as const)
    assert.ok(!('isPlanted' in Object(await loadDriver(name, '--flag'))), name)
  const absent = 'fast-redis' as 'ioredis' // a driver that no test installs
  await assert.rejects(loadDriver(absent, '--redis'), {
    message: '--redis requires the driver fast-redis: npm install fast-redis next to this program',
  })
})
