import { writeFileSync } from 'node:fs'
import { judge, runConformance } from 'pet-adoption-service/conformance'

const report = await runConformance({
  baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080/v1',
  apiKey: process.env.PET_ADOPTION_API_KEY ?? '',
})
writeFileSync(process.argv[3] ?? 'report.json', JSON.stringify(report), { mode: 0o600 })
const laterReport = judge(report, { now: new Date('2030-12-07'), skip: ['GET-9'] })
console.log(laterReport.summary)
