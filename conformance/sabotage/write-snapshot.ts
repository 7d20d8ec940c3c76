import { readFileSync, writeFileSync } from 'node:fs'
import { countFigures, documents, snapshotText, withFigures } from './snapshot.ts'
import { recordTranscripts, tryMutations } from './try-mutations.ts'

/** Writes `snapshot.txt`, and the figures that documents quote. Read the difference. */
const tried = tryMutations(await recordTranscripts())
writeFileSync(new URL('snapshot.txt', import.meta.url), snapshotText(tried))
for (const document of documents) {
  const file = new URL(document, import.meta.url)
  writeFileSync(file, withFigures(readFileSync(file, 'utf8'), countFigures(tried)))
}
