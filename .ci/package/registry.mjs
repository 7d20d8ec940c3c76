// A registry for npm that has this package as if it were published, and redirects requests for other packages.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const upstream = process.env.npm_config_registry ?? 'https://registry.npmjs.org/'

/** Starts a registry that serves a tarball as the package of this manifest. */
export async function startRegistry(tarball, manifest) {
  const bytes = readFileSync(tarball)
  const path = `/${manifest.name}/-/${manifest.name}-${manifest.version}.tgz`
  const server = createServer((req, res) => {
    if (req.url === path) res.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(bytes)
    else if (req.url === `/${manifest.name}`) sendJson(res, packument(`http://${req.headers.host}${path}`))
    else res.writeHead(302, { Location: new URL(req.url.slice(1), upstream).href }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function packument(tarballUrl) {
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    const shasum = createHash('sha1').update(bytes).digest('hex')
    const version = { ...manifest, dist: { tarball: tarballUrl, integrity, shasum } }
    return {
      name: manifest.name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: version },
    }
  }

  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => server.close().closeAllConnections(),
  }
}

function sendJson(res, body) {
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
