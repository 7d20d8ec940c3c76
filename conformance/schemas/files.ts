import { reportSchema } from './report.ts'
import type { Schema } from './schema.ts'
import { transcriptSchema } from './transcript.ts'

/** The files of the package that contain JSON Schemas. The number counts changes after which older readers fail. */
export const schemaFiles: Readonly<Record<string, Schema>> = {
  'report-1.json': reportSchema,
  'transcript-2.json': transcriptSchema,
}
