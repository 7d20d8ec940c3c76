import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadDriver } from './load-driver.ts'

/** Runs the rest of a test in a folder where anybody may have put packages of these names. */
function workIn(t: { after(work: () => void): void }, packages: readonly string[]): void {
  const [folder, before] = [mkdtempSync(join(tmpdir(), 'driver-')), process.cwd()]
  for (const name of packages) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    writeFileSync(join(folder, 'node_modules', name, 'index.js'), 'exports.isPlanted = true')
  }
  process.chdir(folder)
  t.after(() => {
    process.chdir(before)
    rmSync(folder, { recursive: true })
  })
}

test('a driver is loaded from next to the program', async (t) => {
  workIn(t, ['pg', 'ioredis'])
  for (const name of ['pg', 'ioredis'] as const)
    assert.ok(!('isPlanted' in Object(await loadDriver(name, '--flag'))), name)
})

test('a driver in the working directory alone is not loaded', async (t) => {
  workIn(t, ['fast-redis'])
  const absent = 'fast-redis' as 'ioredis' // no such package is next to the program
  await assert.rejects(loadDriver(absent, '--redis'), {
    message: '--redis needs the driver fast-redis: npm install fast-redis next to this program',
  })
})
