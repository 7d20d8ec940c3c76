import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'

/** Prints the name of each file that requires `node:http`. */
const tracer = `import Module from 'node:module'
const { require: original } = Module.prototype
Module.prototype.require = function (id) {
  if (id === 'node:http') console.log(this.filename)
  return original.call(this, id)
}`

it('node:http is loaded with require, which tracers can patch', async () => {
  const hook = `data:text/javascript,${encodeURIComponent(tracer)}`
  const module = new URL('index.ts', import.meta.url)
  const flags = ['--import', 'tsx', '--import', hook, '--input-type=module']
  const args = [...flags, '--eval', `import '${module}'`]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  assert.match(stdout, /node-http[\\/]http\.ts$/m)
})
