export type { ShutdownOptions } from './drain.ts'
export { createNodeHandler, type NodeHandler, type NodeHandlerOptions } from './handler.ts'
export {
  dedicatedServerOptions,
  type HardenOptions,
  hardenServer,
  serverOptions,
} from './harden.ts'
export { toServiceRequest } from './node-request.ts'
export { createPetServer, type PetServer, type PetServerOptions } from './pet-server.ts'
export { callerOf, type KeyMiddleware, requireKey } from './require-key.ts'
export { writeResponse } from './write-response.ts'
