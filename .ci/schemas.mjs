// Writes the JSON Schemas of reports and transcripts, as the sources have them. A test compares them.
import { writeFileSync } from 'node:fs'
import { schemaFiles } from '../conformance/schemas/files.ts'

for (const [name, schema] of Object.entries(schemaFiles)) {
  writeFileSync(
    new URL(`../conformance/schemas/${name}`, import.meta.url),
    `${JSON.stringify(schema, undefined, 2)}\n`,
  )
}
