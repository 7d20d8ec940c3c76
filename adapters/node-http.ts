export type { DrainTimes } from './node-http/drain.ts'
export { createNodeHandler, type NodeHandler, type NodeHandlerOptions } from './node-http/handler.ts'
export {
  dedicatedServerOptions,
  type HardenOptions,
  hardenServer,
  serverOptions,
} from './node-http/harden.ts'
export { toServiceRequest } from './node-http/node-request.ts'
export { createPetServer, type PetServer, type PetServerOptions } from './node-http/pet-server.ts'
export { writeResponse } from './node-http/write-response.ts'
