import { parallelGroup } from '../../steps/steps-create.ts'
import { isOrdinaryStep, listValidCreations, readSentName } from '../../transcript/creations.ts'
import { formatInFlight, type Group } from '../../transcript/groups.ts'
import { showsRemovedPets } from '../../transcript/pages.ts'
import {
  isLost,
  isShownLater,
  listParallelCreations,
  type ParallelCreation,
} from '../../transcript/parallel-creations.ts'
import { formatValue, isSameName } from '../../transcript/pets.ts'
import { formatRequestName, type Transcript } from '../../transcript/transcript.ts'
import { broken, explainMissingExchange, holds, judgeGroup, noEvidence } from '../judging.ts'
import { isBeforeRemoval } from '../removal.ts'
import { type Finding, must, type RuleFamily } from '../rule.ts'

/** The rule about creations that are sent in parallel (section 4.2). */
export const parallelRules: RuleFamily = {
  'CREATE-29 s4-2-parallel': must.create(
    'parallel creations that are accepted get different ids, keep their own names and are shown later',
    judgeGroup(
      parallelGroup,
      (transcript) => explainMissingExchange(transcript, `${parallelGroup}-1`),
      judgeParallelCreations,
    ),
  ),
}

function judgeParallelCreations(group: Group, transcript: Transcript): Finding {
  const sentIds = group.exchanges.map(({ id }) => id)
  const inFlightNote = formatInFlight(group)
  const acceptedCreations = listParallelCreations(transcript)
  if (acceptedCreations.length < 2)
    return noEvidence(`${acceptedCreations.length} of ${sentIds.length} creations were accepted`, ...sentIds)
  const brokenFinding =
    findDuplicateId(acceptedCreations) ??
    findSwappedName(acceptedCreations) ??
    findWrongName(transcript, acceptedCreations) ??
    findLostAnimal(transcript, acceptedCreations)
  if (brokenFinding !== undefined)
    return { ...brokenFinding, reason: `${brokenFinding.reason}; ${inFlightNote}` }
  const unshown = acceptedCreations.find((one) => !isShownLater(one))
  const ids = acceptedCreations
    .flatMap(({ exchange, readBack }) => [exchange, readBack?.exchange ?? []].flat())
    .map(({ id }) => id)
  if (unshown !== undefined)
    return noEvidence(`no later response shows the animal that ${unshown.exchange.id} created`, ...ids)
  const shownNote = 'creations were accepted, and later responses show their animals'
  return holds(`${acceptedCreations.length} ${shownNote}; ${inFlightNote}`, ...ids)
}

function findDuplicateId(accepted: readonly ParallelCreation[]): Finding | undefined {
  for (const { exchange, pet } of accepted) {
    const [same] = accepted.filter((one) => one.exchange !== exchange && pet && one.pet?.id === pet.id)
    if (same === undefined) continue
    const ids = [exchange.id, same.exchange.id]
    return broken('different ids', `the id ${pet?.id} in ${ids.join(' and in ')}`, ...ids)
  }
  return undefined
}

/** Finds a response that shows the name from another parallel request. */
function findSwappedName(accepted: readonly ParallelCreation[]): Finding | undefined {
  for (const { exchange, name, pet, readBack } of accepted) {
    for (const shown of [{ exchange, found: pet }, ...(readBack ? [readBack] : [])]) {
      const other = accepted.find((one) => one.name !== name && isSameName(one.name, shown.found?.name ?? ''))
      if (other === undefined) continue
      const expected = `the name ${formatValue(name)} that ${exchange.id} sent`
      const actualName = `${formatRequestName(shown.exchange)} has the name ${formatValue(other.name)}, which ${other.exchange.id} sent`
      return broken(expected, actualName, shown.exchange.id, exchange.id, other.exchange.id)
    }
  }
  return undefined
}

/** Finds a response with a name that no request sent. CREATE-3 judges servers that change every name. */
function findWrongName(transcript: Transcript, accepted: readonly ParallelCreation[]): Finding | undefined {
  const isKept = listValidCreations(transcript).some(
    ({ id, exchange, pet }) => isOrdinaryStep(id) && isSameName(readSentName(exchange), pet?.name ?? ''),
  )
  const renamed = accepted.find(({ name, pet }) => pet !== undefined && !isSameName(name, pet.name))
  if (!isKept || renamed?.pet === undefined) return undefined
  const { exchange, name, pet } = renamed
  const actualName = `${formatRequestName(exchange)} has the name ${formatValue(pet.name)}`
  return broken(`the name ${formatValue(name)}`, actualName, exchange.id)
}

function findLostAnimal(transcript: Transcript, accepted: readonly ParallelCreation[]): Finding | undefined {
  if (!isBeforeRemoval(transcript) || showsRemovedPets(transcript)) return undefined
  const lost = accepted.find(isLost)
  if (lost?.readBack === undefined) return undefined
  const { exchange, pet, readBack } = lost
  const actualResponse = `${formatRequestName(readBack.exchange)} returned ${readBack.exchange.response?.status}`
  return broken(`animal ${pet?.id} from ${exchange.id}`, actualResponse, readBack.exchange.id, exchange.id)
}
