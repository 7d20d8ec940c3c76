// The fastest possible server on node:http: it sends recorded responses. Its argument is the origin to record from.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { announce } from './listen.ts'
import { recordAll } from './record.ts'

const responses = await recordAll()

const server = createServer((req, res) => {
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
})
server.listen(0, '127.0.0.1', () => announce(server.address()))

/** Declared once, because tsx names each function that a request creates, which takes 2 µs. */
function respond({ method, url }: IncomingMessage, res: ServerResponse): void {
  const { status, headers, body } = responses.get(`${method} ${url}`) ?? missing
  // node:http sends a string in one chunk with the head, but not bytes. writeHead only reads the headers.
  res.writeHead(status, headers as string[]).end(body)
}

const missing = { status: 404, headers: [], body: '' }
