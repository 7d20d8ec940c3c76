// Starts the server by `npm start`, and ends it once it listens. The folder may be an argument. Exits with 1 if it does
// not.
import { execFileSync, spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { resolveCommand } from './command.mjs'

const isWindows = process.platform === 'win32'
const [file, args, shell] = resolveCommand('npm', ['start', '--', '--port', '0', '--memory'])
const child = spawn(file, args, {
  ...shell,
  cwd: process.argv[2] ?? process.cwd(),
  detached: !isWindows,
  stdio: ['ignore', 'pipe', 'inherit'],
})
process.exitCode = 1
for await (const line of createInterface({ input: child.stdout })) {
  console.log(line)
  if (!/listening on/.test(line)) continue
  process.exitCode = 0
  break
}
if (isWindows) execFileSync('taskkill', ['/pid', String(child.pid), '/t', '/f'])
else process.kill(-child.pid, 'SIGTERM')
