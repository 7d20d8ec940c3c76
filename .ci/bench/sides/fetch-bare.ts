import { listenFetch } from './listen.ts'
import { recordAll } from './record.ts'

const responders = new Map(
  [...(await recordAll())].map(([request, { status, headers: flat, body }]) => {
    const headers: Record<string, string> = {}
    for (let i = 0; i < flat.length; i += 2) headers[flat[i] ?? ''] = flat[i + 1] ?? ''
    return [request, () => new Response(body, { status, headers })]
  }),
)

listenFetch((request) => {
  const { url, method } = request
  const respond =
    responders.get(`${method} ${url.slice(url.indexOf('/', 'http://'.length))}`) ??
    (() => new Response(null, { status: 404 }))
  return method === 'GET' ? respond() : request.arrayBuffer().then(respond)
})
