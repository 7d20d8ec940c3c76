import { mostOfHeaders } from '../transcript/bounds.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import { readBody } from './read-body.ts'
import type { Received, Transport, WireRequest } from './transport.ts'

/** Sends a request, as the global `fetch` does. */
export type Fetch = (request: Request) => Promise<Response> | Response

/** Returns a transport on a function such as `fetch`, which does not show its connections. */
export function createFetchTransport(fetch: Fetch): Transport {
  return { send: (request) => send(request, fetch), close: () => {} }
}

async function send(request: WireRequest, fetch: Fetch): Promise<Received> {
  const { method, url, headers, body, most, deadline } = request
  const abort = new AbortController()
  try {
    const response = await Promise.race([
      fetch(
        new Request(url, {
          method,
          headers: headers.map(([name, value]): [string, string] => [name, value]),
          redirect: 'manual',
          signal: abort.signal,
          ...(body !== undefined && { body }),
        }),
      ),
      deadline.passed,
    ])
    const received = readHeaders(response)
    const read = await readBody(response.body, most, deadline)
    if (read.truncated) abort.abort()
    return { kind: 'response', status: response.status, headers: received, body: read, isReused: undefined }
  } catch (error) {
    abort.abort()
    return { kind: 'error', error, failure: 'other', isReused: undefined }
  }
}

function readHeaders(response: Response): HeaderList {
  const all = [...response.headers]
  const size = all.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (size > mostOfHeaders) throw new RangeError(`the headers are larger than ${mostOfHeaders / 1024} KiB`)
  return all
}
