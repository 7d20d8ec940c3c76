import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { figuresSource } from './figures-source.ts'
import { recordTranscripts, tryMutations } from './try-mutations.ts'

/** Prints `figures.ts` as it has to be; with `--write` it replaces the file. */
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const source = figuresSource(tryMutations(await recordTranscripts()))
if (values.write) writeFileSync(new URL('figures.ts', import.meta.url), source)
else process.stdout.write(source)
