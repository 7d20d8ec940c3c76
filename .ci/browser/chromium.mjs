// Starts Chromium, and servers for its pages.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { run } from '../command.mjs'
import { install } from '../install.mjs'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Chromium as root needs --no-sandbox. The other flags stop its own requests. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Installs Chromium with apt-get if it is missing. */
export async function launchChromium() {
  await install(new URL('.', import.meta.url))
  if (spawnSync(executablePath, ['--version']).error) {
    await run('apt-get', ['update', '-qq'])
    const packages = ['chromium', 'fonts-dejavu']
    const flags = ['-y', '-qq', '--no-install-recommends']
    await run('apt-get', ['install', ...flags, ...packages], { timeout: 300_000 })
  }
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath, args, timeout: 30_000 })
}

export async function serve(handler) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  return { port, origin: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() }
}

export function servePage() {
  return serve((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>A page</title>')
  })
}
