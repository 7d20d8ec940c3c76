import assert from 'node:assert/strict'
import { closeSync, openSync } from 'node:fs'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { writeWholeChunks } from './whole-writes.ts'

describe('writeWholeChunks', () => {
  it('leaves a stream unchanged if fstat fails, as for some pipes on Windows', () => {
    const fd = openSync(fileURLToPath(import.meta.url), 'r')
    closeSync(fd)
    const stream = new Writable({ write() {} })
    const write = stream._write
    writeWholeChunks(stream, fd)
    assert.equal(stream._write, write)
  })
})
