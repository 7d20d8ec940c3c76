// Checks what Deno finds in the entries of the package: complete comments, types in the sources as they would be
// published (without slow types), and types in `dist` through an import map.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../command.mjs'

const kept = (path) => !/\.test\.ts$|[\\/](?:testing|examples|standalone)(?:$|[\\/])/.test(path)

/** Checks them in an empty folder. Rejects with the findings. `deno` is the program. */
export async function checkPublishing(folder, deno) {
  const { name, version, license, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = Object.entries(exports).filter(([, path]) => path.endsWith('.js'))
  const sources = entries.map(([, path]) => path.replace('./dist/', './').replace(/\.js$/, '.ts'))
  for (const part of ['core', 'adapters', 'conformance', 'LICENSE'])
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: kept })
  const write = (file, value) => writeFileSync(join(folder, file), JSON.stringify(value))
  write('deno.json', {
    name: `@${name}/${name}`,
    version,
    license,
    exports: Object.fromEntries(entries.map(([entry], i) => [entry, sources[i]])),
  })
  await run(deno, ['doc', '--lint', ...sources], { cwd: folder })
  await run(deno, ['publish', '--dry-run', '--allow-dirty'], { cwd: folder })
  const imports = entries.map(([entry, path]) => [entry.replace('.', name), join(root, path)])
  write('imports.json', { imports: Object.fromEntries(imports) })
  const lines = imports.map(([entry], i) => `import * as entry${i} from '${entry}'; console.log(entry${i})\n`)
  lines.push("// @ts-expect-error Deno knows its type\nexport const none: never = entry0.sha256('a')\n")
  writeFileSync(join(folder, 'entries.ts'), lines.join(''))
  await run(deno, ['check', '--config', 'imports.json', 'entries.ts'], { cwd: folder })
}
