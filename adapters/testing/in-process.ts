import { joined, type Received } from '../../core/testing/service-request.ts'
import { createFetchHandler } from '../fetch/index.ts'
import type { Mount, Sent } from './exchange.ts'

/** Reaches a service without a socket, on every runtime. */
export const fetchInProcess: Mount = async (service) => {
  const handler = createFetchHandler(service)
  const info = { remoteAddr: { hostname: '192.0.2.1' } }
  return {
    send: async (sent = {}) => received(await handler(toRequest(sent), info)),
    close: async () => {},
  }
}

function toRequest({ method = 'GET', target = '/v1/pets', headers = [], body }: Sent): Request {
  const url = target.startsWith('/') ? `http://pets.example${target}` : target
  const pairs = headers.map(([name, value]): [string, string] => [name, value])
  const carriesBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  return new Request(url, {
    method,
    headers: pairs,
    ...(carriesBody && { body: new Uint8Array(Buffer.from(body)) }),
  })
}

async function received(response: Response): Promise<Received> {
  return { status: response.status, headers: joined(response.headers), text: await response.text() }
}
