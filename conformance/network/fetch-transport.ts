import { maxHeaderBytes } from '../transcript/bounds.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import { readBody } from './read-body.ts'
import type { Transport, TransportResult, WireRequest } from './transport.ts'

/** The part of the `fetch` function that the suite uses. */
export type Fetch = (request: Request) => Promise<Response> | Response

/**
 * Creates a transport that sends requests with a given `fetch`. The transport knows nothing about the connections
 * that `fetch` uses.
 */
export function createFetchTransport(fetch: Fetch): Transport {
  return { send: (request) => sendRequest(request, fetch), close: () => {} }
}

async function sendRequest(request: WireRequest, fetch: Fetch): Promise<TransportResult> {
  const { method, url, headers, body, maxBytes, deadline } = request
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
    const receivedHeaders = readHeaders(response)
    const bodyBytes = await readBody(response.body, maxBytes, deadline)
    if (bodyBytes.truncated) abort.abort()
    return {
      kind: 'response',
      status: response.status,
      headers: receivedHeaders,
      body: bodyBytes,
      isReused: undefined,
    }
  } catch (error) {
    abort.abort()
    return { kind: 'error', error, failure: 'other', isReused: undefined }
  }
}

function readHeaders(response: Response): HeaderList {
  const allHeaders = [...response.headers]
  const headerBytes = allHeaders.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (headerBytes > maxHeaderBytes) throw new RangeError(`the headers exceed ${maxHeaderBytes / 1024} KiB`)
  return allHeaders
}
