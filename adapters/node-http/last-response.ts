import { STATUS_CODES } from 'node:http'
import type { ServiceResponse } from '../../core/index.ts'
import { lingerMs } from './body.ts'
import { type Connection, latestResponse } from './connection.ts'

/**
 * Writes the last response of a connection, for which Node has no response object: after the responses to the requests
 * before it. Where the broken part is the body of a request, the response is that of the request, unless it has one already.
 */
export function writeLastResponse(socket: Connection, response: ServiceResponse): void {
  const res = socket[latestResponse]
  if (!res) {
    writeAndClose(socket, response)
    return
  }
  if (res.req.complete) {
    if (res.writableFinished) writeAndClose(socket, response)
    else res.once('close', () => writeAndClose(socket, response))
    return
  }
  if (!res.headersSent) {
    const body = response.body ?? ''
    res.writeHead(response.status, [...response.headers, ...closingHeaders(body)]).end(body)
  }
  endRequestAfterResponse(socket)
}

/** Destroys the latest request after its response, so that its readers notice: Node does not notify them any more. */
export function endRequestAfterResponse({ [latestResponse]: res }: Connection): void {
  if (res?.writableFinished) res.req.destroy()
  else res?.once('close', () => res.req.destroy())
}

function writeAndClose(socket: Connection, { status, headers, body = '' }: ServiceResponse): void {
  if (!socket.writable) return
  const fields = ['Date', new Date().toUTCString(), ...headers, ...closingHeaders(body)]
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < fields.length; i += 2) head += `${fields[i]}: ${fields[i + 1]}\r\n`
  socket.write(`${head}\r\n`)
  socket.end(body)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

function closingHeaders(body: string): readonly string[] {
  return ['Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close']
}
