import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLineWriter } from './line-writer.ts'

/** A stream whose reader reads the next chunk only on `take()`, with an error of its disk or without. */
function createSlowStream() {
  const chunks: string[] = []
  const pending: ((error?: Error) => void)[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      chunks.push(chunk)
      pending.push(done)
    },
  })
  // As process.stdout does, which goes on after an error.
  stream._destroy = function (this: Writable & { _undestroy?(): void }, error, done) {
    done(error)
    this._undestroy?.()
  }
  return { stream, chunks, take: (error?: Error) => pending.shift()?.(error) }
}

test('counts lost lines, and reports the first of each reason', async () => {
  const { stream, chunks, take } = createSlowStream()
  const reasons: string[] = []
  const writer = createLineWriter(stream, (reason) => void reasons.push(reason))
  const write = async (line: string) => {
    writer.write(line)
    await nextTurn()
    await nextTurn()
  }
  const long = 'x'.repeat(2 ** 20)
  for (const line of [long, 'lost', 'lost too']) await write(line)
  take()
  await write('next')
  assert.deepEqual(
    [chunks, writer.linesLost, reasons],
    [[`${long}\n`, 'next\n'], 2, ['its reader is too slow']],
  )
  take()
  await write('on a full disk')
  take(new Error('ENOSPC'))
  await nextTurn()
  await write('still full')
  take(new Error('ENOSPC'))
  await nextTurn()
  await write('written')
  assert.deepEqual([chunks.at(-1), writer.linesLost], ['written\n', 4])
  assert.deepEqual(reasons, ['its reader is too slow', 'ENOSPC'])
})

test('flush waits only for an open stream, and at most for its timeout', async () => {
  const { stream, chunks } = createSlowStream()
  const writer = createLineWriter(stream)
  writer.write('one')
  await writer.flush(1)
  assert.deepEqual(chunks, ['one\n'])
  for (const error of [undefined, new Error('write EPIPE')]) {
    const { stream: quick } = createSlowStream()
    quick._write = (_chunk, _encoding, done) => done(error)
    const other = createLineWriter(quick)
    other.write('one')
    await other.flush(60_000)
  }
})
