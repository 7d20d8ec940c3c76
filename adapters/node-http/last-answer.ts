import { STATUS_CODES } from 'node:http'
import type { ServiceResponse } from '../../core/index.ts'
import { lingerMs } from './body.ts'
import { type Connection, latest } from './connection.ts'

/**
 * Answers what Node has no response object for, in its turn, and once: behind the good requests before it, and not where
 * it has its answer already. Then its rest is given up, so that whoever waits for it learns of it: Node no longer does.
 */
export function answerLast(socket: Connection, answer: ServiceResponse): void {
  const res = socket[latest]
  if (!res) {
    writeAndClose(socket, answer)
    return
  }
  const then = (next: () => void) => (res.writableFinished ? next() : res.once('close', next))
  if (res.req.complete) {
    then(() => writeAndClose(socket, answer))
    return
  }
  if (!res.headersSent) {
    const body = answer.body ?? ''
    res.writeHead(answer.status, [...answer.headers, ...closing(body)]).end(body)
  }
  then(() => res.req.destroy())
}

function writeAndClose(socket: Connection, { status, headers, body = '' }: ServiceResponse): void {
  if (!socket.writable) return
  const fields = ['Date', new Date().toUTCString(), ...headers, ...closing(body)]
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < fields.length; i += 2) head += `${fields[i]}: ${fields[i + 1]}\r\n`
  socket.write(`${head}\r\n`)
  socket.end(body)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

function closing(body: string): readonly string[] {
  return ['Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close']
}
