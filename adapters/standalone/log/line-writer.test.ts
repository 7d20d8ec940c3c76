import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLineWriter } from './line-writer.ts'

const lostLine = (lines: number) => `lost ${lines}`

/** A stream whose reader reads the next chunk only on `take()`. */
function createSlowStream(): { stream: Writable; chunks: string[]; take: () => void } {
  const chunks: string[] = []
  const pending: (() => void)[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      chunks.push(chunk)
      pending.push(done)
    },
  })
  return { stream, chunks, take: () => pending.shift()?.() }
}

test('the lines of one turn are one write', async () => {
  const { stream, chunks } = createSlowStream()
  const writer = createLineWriter(stream, { lostLine })
  writer.write('one')
  writer.write('two')
  assert.deepEqual(chunks, [])
  await nextTurn()
  assert.deepEqual(chunks, ['one\ntwo\n'])
})

test('a reader that is too slow loses lines, and reads how many', async () => {
  const { stream, chunks, take } = createSlowStream()
  const writer = createLineWriter(stream, { lostLine })
  const long = 'x'.repeat(2 ** 20)
  writer.write(long)
  await nextTurn()
  writer.write('lost')
  writer.write('lost too')
  await nextTurn()
  assert.deepEqual(chunks, [`${long}\n`])
  take()
  writer.write('next')
  await nextTurn()
  assert.deepEqual(chunks, [`${long}\n`, 'lost 2\nnext\n'])
  assert.equal(writer.linesLost, 2)
})

test('lines that a full disk rejects are counted, and reported with the first line that it accepts', async () => {
  const chunks: string[] = []
  const reasons: string[] = []
  let isFull = true
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      if (isFull) return done(new Error('ENOSPC: no space left on device, write'))
      chunks.push(chunk)
      done()
    },
  })
  Object.assign(stream, {
    // As process.stdout does, which goes on after an error.
    _destroy(this: Writable & { _undestroy(): void }, error: unknown, done: (error: unknown) => void) {
      done(error)
      this._undestroy()
    },
  })
  const writer = createLineWriter(stream, { lostLine, onLoss: (reason) => void reasons.push(reason) })
  for (const line of ['one', 'two', 'three']) {
    writer.write(line)
    await nextTurn()
    await nextTurn()
  }
  assert.deepEqual([writer.linesLost, reasons], [3, ['ENOSPC: no space left on device, write']])
  isFull = false
  writer.write('four')
  await nextTurn()
  assert.deepEqual([writer.linesLost, chunks], [3, ['lost 3\nfour\n']])
})

test('a reader that has gone away does no harm', async () => {
  const stream = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    },
  })
  const writer = createLineWriter(stream, { lostLine })
  writer.write('one')
  await nextTurn()
  await nextTurn()
  writer.write('two')
  await nextTurn()
  await writer.flush(60_000)
})

test('a flush waits until the reader has everything, but not for ever', async () => {
  const { stream, chunks, take } = createSlowStream()
  const writer = createLineWriter(stream, { lostLine })
  writer.write('one')
  await writer.flush(1)
  assert.deepEqual(chunks, ['one\n'])
  take()
  take()
  const { stream: quick } = createSlowStream()
  quick._write = (_chunk, _encoding, done) => done()
  await createLineWriter(quick, { lostLine }).flush(60_000)
})
