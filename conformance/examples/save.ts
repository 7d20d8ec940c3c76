import { writeFileSync } from 'node:fs'
import { judge, record, writeTranscript } from 'pet-adoption-service/conformance'

const transcript = await record({
  baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080/v1',
  key: process.env.PET_ADOPTION_API_KEY ?? '',
})
writeFileSync(process.argv[3] ?? 'transcript.json', writeTranscript(transcript), { mode: 0o600 })
const report = judge(transcript, { now: new Date('2030-12-07'), skip: ['GET-9'] })
console.log(report.summary)
