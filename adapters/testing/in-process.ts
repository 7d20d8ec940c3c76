import { serviceRequest } from '../../core/testing/service-request.ts'
import { createFetchHandler } from '../fetch.ts'
import { joined, type Mount, type Received, type Sent } from './exchange.ts'

/** The ways to reach a service without a socket. Every runtime has them. */
export const inProcess: Readonly<Record<string, Mount>> = {
  'core directly': async (service) => ({
    send: async ({ headers = [], ...sent } = {}) => {
      const request = serviceRequest({ ...sent, headers: [['host', 'pets.example'], ...headers] })
      const { status, headers: fields, body = '' } = await service.handle(request)
      const bytes = Buffer.from(body)
      const pairs = [...inPairs(fields), ['Content-Length', String(bytes.length)] as const]
      return { status, headers: joined(pairs), text: sent.method === 'HEAD' ? '' : bytes.toString() }
    },
    close: async () => {},
  }),
  'Fetch in process': async (service) => {
    const handler = createFetchHandler(service)
    const info = { remoteAddr: { hostname: '192.0.2.1' } }
    return {
      send: async (sent = {}) => received(await handler(toRequest(sent), info)),
      close: async () => {},
    }
  },
}

/** Returns the pairs of a list of names and values in turn. */
export function inPairs(flat: readonly string[]): readonly (readonly [string, string])[] {
  return flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : []))
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
