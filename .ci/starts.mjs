// Checks that `npm start` starts the server: node .ci/starts.mjs. Exits with 1 if the server does not listen.
import { execFileSync, spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'

const isWindows = process.platform === 'win32'
const child = spawn('npm start -- --port 0 --memory', {
  shell: true, // npm is a script on Windows
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
