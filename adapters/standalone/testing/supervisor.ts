import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Capture } from './capture.ts'
import { wordsOf } from './program.ts'

/** A process that holds a listening socket, as systemd does. Whenever the server ends with 0, it starts it again. */
export interface Supervisor {
  readonly stdout: Capture
  readonly stderr: Capture
  /** Resolves with the process of the nth server, from 1, once it listens. */
  server(nth: number): Promise<number>
  /** Ends the server at once, and does not start it again. */
  end(): Promise<void>
}

const main = fileURLToPath(new URL('../../../dist/adapters/standalone/main.js', import.meta.url))

/** It never returns to its event loop while a server runs, so that it accepts no connection itself. */
const script = `
const { spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { createServer } = require('node:net')
const [place, ...args] = process.argv.slice(1)
const server = createServer().listen(/^\\d+$/.test(place) ? { port: Number(place), host: '127.0.0.1' } : { path: place })
once(server, 'listening').then(() => {
  const env = { ...process.env, LISTEN_FDS: '1' }
  const stdio = ['ignore', 'inherit', 'inherit', server._handle.fd]
  const command = ['-c', 'echo "server $$" && LISTEN_PID=$$ exec "$@"', 'sh', process.execPath, ...args]
  while (spawnSync('/bin/sh', command, { env, stdio }).status === 0);
  process.exit()
})`

/**
 * Starts a supervisor, which ends with the test file at the latest.
 *
 * @param place - A port of 127.0.0.1, or the path of a Unix socket.
 */
export function supervise(
  place: number | string,
  flags: string,
  env: Readonly<Record<string, string>>,
): Supervisor {
  const child = spawn(process.execPath, ['-e', script, '--', String(place), main, ...wordsOf(flags)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // so that its servers are of its process group, which ends as one
  })
  const [stdout, stderr] = [new Capture(), new Capture()]
  child.stdout.pipe(stdout)
  child.stderr.pipe(stderr)
  const ended = once(child, 'exit')
  const servers = () => [...stdout.text.matchAll(/^server (\d+)$/gm)].map(([, pid]) => Number(pid))

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    process.kill(-Number(child.pid), 'SIGKILL')
    await ended
  }

  after(end)
  return {
    stdout,
    stderr,
    async server(nth) {
      await stdout.until(new RegExp(`(?:^server [^]*?^listening on .*\n[^]*?){${nth}}`, 'm'))
      return servers()[nth - 1] ?? Number.NaN
    },
    end,
  }
}
