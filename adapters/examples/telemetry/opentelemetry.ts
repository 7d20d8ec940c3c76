// Traces of the service by the SDK of OpenTelemetry, which exports them as the variables OTEL_… say. Load it in front of
// everything else: npx tsx --import ./opentelemetry.ts server.ts
import { register } from 'node:module'
import { context, trace } from '@opentelemetry/api'
import { getRPCMetadata } from '@opentelemetry/core'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { ResponseEvent } from 'pet-adoption-service'

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url) // for imports of ES modules
const sdk = new NodeSDK({ instrumentations: [new HttpInstrumentation()] })
sdk.start()
process.once('beforeExit', () => sdk.shutdown()) // exports the last spans

/** Sets the name of the span, such as `GET /v1/pets/{petId}`, and `http.route`. Logs the response with its trace id. */
export function onResponse({ route, operation, status, durationMs }: ResponseEvent): void {
  const metadata = getRPCMetadata(context.active()) // the instrumentation reads it when the response ends
  if (metadata && route !== undefined) metadata.route = route
  const traceId = trace.getActiveSpan()?.spanContext().traceId
  console.log(JSON.stringify({ trace_id: traceId, operation, status, durationMs }))
}
