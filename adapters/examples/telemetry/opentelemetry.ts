// Exports traces as the OTEL_… variables configure. Load this file first: npx tsx --import ./opentelemetry.ts server.ts
import { register } from 'node:module'
import { context, trace } from '@opentelemetry/api'
import { getRPCMetadata } from '@opentelemetry/core'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { ResponseEvent } from 'pet-adoption-service'

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url) // lets the SDK patch ES modules
const sdk = new NodeSDK({ instrumentations: [new HttpInstrumentation()] })
sdk.start()
process.once('beforeExit', () => sdk.shutdown()) // flushes pending spans

/** Sets the span's name, such as `GET /v1/pets/{petId}`, and `http.route`. Logs the response with its trace ID. */
export function onResponse({ route, operation, status, durationMs }: ResponseEvent): void {
  const metadata = getRPCMetadata(context.active()) // HttpInstrumentation reads it when the response ends
  if (metadata && route !== undefined) metadata.route = route
  const traceId = trace.getActiveSpan()?.spanContext().traceId
  console.log(JSON.stringify({ trace_id: traceId, operation, status, durationMs }))
}
