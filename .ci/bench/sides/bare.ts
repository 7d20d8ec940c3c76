// Replays the responses of another server: the same bytes under the same header names, made before the first request.
import { createServer } from 'node:http'
import { listen } from './listen.ts'
import { recordAll } from './record.ts'

const responses = await recordAll()

listen(
  createServer((req, res) => {
    const { status, headers, body } = responses.get(`${req.method} ${req.url}`) ?? missing
    // node:http sends a string, but not bytes, in one chunk with the head.
    const respond = () => res.writeHead(status, headers as string[]).end(body) // it only reads them
    if (req.method === 'GET') {
      respond()
      return
    }
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      Buffer.concat(chunks)
      respond()
    })
  }),
)

const missing = { status: 404, headers: [], body: '' }
