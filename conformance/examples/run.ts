import { exitCode, runConformance } from 'pet-adoption-service/conformance'

const report = await runConformance({
  baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080/v1',
  apiKey: process.env.PET_ADOPTION_API_KEY ?? '',
  profile: 'read',
})
for (const { id, verdict, reason } of report.rules) {
  if (verdict === 'fail' || verdict === 'warn') console.log(`${id} ${verdict}: ${reason}`)
}
process.exitCode = exitCode(report)
