import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sqliteModule } from './sqlite.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Runs a script of the shell in a folder with a disk of its own, of two megabytes. `$pets` runs the program. */
function onSmallDisk(script: string): readonly string[] {
  const setUp = `folder=$(mktemp -d) && mount -t tmpfs -o size=2m tmpfs "$folder"
    pets="${process.execPath} --import tsx ${main}"; database="$folder/a.sqlite"
    echo '{"name":"Rex","categoryId":7}' > "$folder/animals"
    $pets import --data "$database" "$folder/animals" > "$folder/output"
    $pets keys issue --data "$database" --id shelter --plan pro > "$folder/output"`
  const tearDown = 'umount -l "$folder"; rmdir "$folder"'
  const command = ['--mount', '--map-root-user', 'sh', '-c', `${setUp}\n${script}\n${tearDown}`]
  const { stdout, stderr } = spawnSync('unshare', command, { encoding: 'utf8' })
  return [
    ...stdout.trimEnd().split('\n'),
    ...stderr.split('\n').filter((line) => line.includes('pet-adoption')),
  ]
}

const mounts = spawnSync('unshare', ['--mount', '--map-root-user', 'true']).status === 0
const skip = !sqliteModule() ? 'no SQLite in this runtime' : !mounts && 'no mount namespaces on this machine'

test('commands that only read work on a read-only mount, and others say that it cannot be written', {
  skip,
}, () => {
  const lines = onSmallDisk(`
    mount -o remount,ro "$folder"
    $pets export --data "$database"
    $pets keys list --data "$database" | tail -n 1 | cut -c 1-12
    $pets animals show 1 --data "$database" --json
    $pets animals remove 1 --data "$database"; echo "exit $?"`)
  const rex = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}'
  assert.deepEqual(lines.slice(0, 4), [rex, 'shelter  pro', rex, 'exit 1'])
  assert.match(lines[4] ?? '', /cannot be (?:opened|written): check .*permissions/)
})

test('a server starts on a full disk, lists its animals, and adds others once there is room', {
  skip,
}, () => {
  const lines = onSmallDisk(`
    head -c 4000000 /dev/zero > "$folder/filler" 2> /dev/null
    PET_ADOPTION_API_KEY=the-key-of-the-tests ${process.execPath} --import tsx --input-type=module -e '
      import { rmSync } from "node:fs"
      import { start, baseAddressOf } from "${new URL('../testing/program.ts', import.meta.url).href}"
      const [folder] = process.argv.slice(-1)
      const server = start(["--port", "0", "--data", folder + "/a.sqlite"], { env: process.env })
      const base = await baseAddressOf(server)
      const headers = { authorization: "Bearer the-key-of-the-tests", "content-type": "application/json" }
      const list = async () => console.log((await fetch(base + "/pets", { headers })).status)
      const body = JSON.stringify({ name: "Ada", categoryId: 1 })
      const add = async () => (await fetch(base + "/pets", { method: "POST", headers, body })).status
      await list()
      console.log(await add())
      rmSync(folder + "/filler")
      let status
      while ((status = await add()) !== 201) await new Promise((resolve) => setTimeout(resolve, 100))
      console.log(status)
      server.events.emit("SIGTERM")
      process.exit(await server.exitCode)' "$folder"
    echo "exit $?"`)
  assert.deepEqual(lines, ['200', '503', '201', 'exit 0'])
})
