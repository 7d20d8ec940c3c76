// Replays the responses of another server: the same bytes under the same header names, made before the first request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'
import { recordAll } from './record.ts'

const responses = await recordAll()

listen(
  createServer((req, res) => {
    if (req.method === 'GET') {
      respond(req, res)
      return
    }
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      Buffer.concat(chunks)
      respond(req, res)
    })
  }),
)

/** Defined once: tsx would name a function that each request creates, which takes 2 µs. */
function respond({ method, url }: IncomingMessage, res: ServerResponse): void {
  const { status, headers, body } = responses.get(`${method} ${url}`) ?? missing
  // node:http sends a string, but not bytes, in one chunk with the head.
  res.writeHead(status, headers as string[]).end(body) // it only reads them
}

const missing = { status: 404, headers: [], body: '' }
