import { authenticationFaults } from './authentication.ts'
import { bodyFaults } from './bodies.ts'
import type { FaultKind } from './cause.ts'
import { connectionFaults } from './connection.ts'
import { contentTypeFault } from './content-type.ts'
import { creationFaults, roundedFault } from './creations.ts'
import { errorShapeFault } from './error-shape.ts'
import { keyFaults } from './key.ts'
import { limitHeaderFaults } from './limit-headers.ts'
import { membersFault } from './members.ts'
import { operationFaults } from './operations.ts'
import { partialFaults } from './partial.ts'
import { queryFaults } from './queries.ts'
import { redirectFault } from './redirect.ts'
import { resetFaults } from './reset.ts'
import { sameResponseFault, uniformFaults } from './uniform.ts'

/**
 * Every kind of fault, the most fundamental first: the way to the deployment, what answers there, the form of all
 * responses, and single statements. A rule has the first cause that explains it.
 */
export const faultKinds: readonly FaultKind[] = [
  ...connectionFaults,
  redirectFault,
  ...uniformFaults,
  ...keyFaults,
  sameResponseFault,
  ...partialFaults,
  ...bodyFaults,
  membersFault,
  errorShapeFault,
  contentTypeFault,
  ...limitHeaderFaults,
  ...resetFaults,
  ...operationFaults,
  ...authenticationFaults,
  ...creationFaults,
  ...queryFaults,
  roundedFault,
]
