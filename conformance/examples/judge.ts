import { readFileSync } from 'node:fs'
import { judge, readTranscript } from 'pet-adoption-service/conformance'

const transcript = readTranscript(readFileSync(process.argv[2] ?? 'transcript.json', 'utf8'))
const report = judge(transcript, { now: new Date('2030-12-07'), skip: ['GET-9'] })
console.log(report.summary)
