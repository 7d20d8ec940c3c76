import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { requestHeaders } from '../load.ts'
import type { MixedRequest } from '../mix.ts'

const connections = 64

/** Sends so many requests, one after the other on each of 64 connections. */
export type Burst = (count: number) => Promise<void>

/**
 * Opens the connections to a server. The requests are sent in turn.
 *
 * @returns The burst, and a function that closes the connections.
 */
export async function openBurst(
  port: number,
  requests: readonly MixedRequest[],
): Promise<{ burst: Burst; close: () => void }> {
  const messages = requests.map(encode)
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  let next = 0

  async function burst(count: number): Promise<void> {
    let left = count
    const take = () => (left-- > 0 ? messages[next++ % messages.length] : undefined)
    await Promise.all(sockets.map((socket) => sendAll(socket, take)))
  }
  return {
    burst,
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  await once(socket, 'connect')
  return socket
}

function encode({ method, target, requestBody }: MixedRequest): Buffer {
  const headers = Object.entries({
    Host: '127.0.0.1',
    ...requestHeaders,
    ...(requestBody !== undefined && { 'Content-Length': String(Buffer.byteLength(requestBody)) }),
  })
  const fields = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${fields}\r\n${requestBody ?? ''}`)
}

/** Sends the next request once the response to the one before has arrived. */
function sendAll(socket: Socket, take: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer | undefined
    const end = (settle: () => void) => {
      socket.off('data', onData).off('error', onClose).off('close', onClose)
      settle()
    }
    const send = () => {
      const message = take()
      if (message) socket.write(message)
      else end(resolve)
    }
    const onClose = () => end(() => reject(new Error('the server closed a connection')))
    const onData = (chunk: Buffer) => {
      received = received ? Buffer.concat([received, chunk]) : chunk
      const length = lengthOf(received)
      if (length === undefined || received.length < length) return
      const isSuccess = received.subarray(9, 10).toString() === '2'
      const [head] = isSuccess ? [] : received.toString('latin1').split('\r\n', 1)
      received = undefined
      if (isSuccess) send()
      else end(() => reject(new Error(`a request failed: ${head}`)))
    }
    socket.on('data', onData).on('error', onClose).on('close', onClose)
    send()
  })
}

/** Returns the length of a response, as far as its head has arrived. */
function lengthOf(received: Buffer): number | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [, length = 0] = /\r\ncontent-length: *(\d+)/i.exec(received.toString('latin1', 0, end + 2)) ?? []
  return end + 4 + Number(length)
}
