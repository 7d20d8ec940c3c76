import { joinFields, type TestResponse } from '../../core/testing/service-request.ts'
import { createFetchHandler } from '../fetch/index.ts'
import type { Mount, SentRequest } from './exchange.ts'

/** Calls the Fetch handler without a server. */
export const fetchInProcess: Mount = async (service) => {
  const handler = createFetchHandler(service)
  const info = { remoteAddr: { hostname: '192.0.2.1' } }
  return {
    send: async (sent = {}) => toReceived(await handler(toRequest(sent), info)),
    close: async () => {},
  }
}

function toRequest({ method = 'GET', target = '/v1/pets', headers = [], body }: SentRequest): Request {
  const url = target.startsWith('/') ? `http://pets.example${target}` : target
  const headerPairs = headers.map(([name, value]): [string, string] => [name, value])
  const carriesBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  return new Request(url, {
    method,
    headers: headerPairs,
    ...(carriesBody && { body: new Uint8Array(Buffer.from(body)) }),
  })
}

async function toReceived(response: Response): Promise<TestResponse> {
  return { status: response.status, headers: joinFields(response.headers), text: await response.text() }
}
