import type { Profile } from '../../steps/profile.ts'
import type { Change } from './deployment.ts'

/** A deployment that differs from the reference in one respect. */
export interface DeploymentVariant extends Change {
  /** What the deployment does, as the end of a test name. */
  readonly does: string
  /** When the run starts, in ISO 8601. 20 November 2026 by default. */
  readonly start?: string
  readonly plan?: 'free' | 'pro' | 'business'
  readonly categoryId?: bigint
}

/** A deployment that breaks a rule. */
export interface BrokenDeployment extends DeploymentVariant {
  /** ID of the rule. */
  readonly rule: string
  /** Other rules that the change breaks as well. */
  readonly alsoBreaks?: readonly string[]
  /** The profile that shows the fault. By default `exhaust` if the rule requires it, and else `create`. */
  readonly profile?: Profile
}

/** An unusual deployment that conforms. */
export interface LegalDeployment extends DeploymentVariant {
  /** What the interface leaves open. */
  readonly gap: string
  /** IDs of the rules that warn. */
  readonly warns?: readonly string[]
  /** IDs of the MUST rules that remain undecided. */
  readonly unproven?: readonly string[]
  readonly endsEarly?: true
}

/** Creates deployments from a table. A name is a rule ID, a colon and what the deployment does. */
export function createBroken(
  table: Readonly<Record<string, Omit<BrokenDeployment, 'rule' | 'does'>>>,
): readonly BrokenDeployment[] {
  return Object.entries(table).map(([name, row]) => {
    const [rule, does] = splitName(name)
    return { rule, does, ...row }
  })
}

/** Creates deployments from a table. A name is what the interface leaves open, a colon and what the deployment does. */
export function createLegal(
  table: Readonly<Record<string, Omit<LegalDeployment, 'gap' | 'does'>>>,
): readonly LegalDeployment[] {
  return Object.entries(table).map(([name, row]) => {
    const [gap, does] = splitName(name)
    return { gap, does, ...row }
  })
}

function splitName(name: string): readonly [string, string] {
  const separator = ': '
  const separatorIndex = name.indexOf(separator)
  return [name.slice(0, separatorIndex), name.slice(separatorIndex + separator.length)]
}

/** Adds other rules that the change breaks. */
export function addBrokenRules<Row extends Change>(
  rules: string | readonly string[],
  change: Row,
): Row & Pick<BrokenDeployment, 'alsoBreaks'> {
  return { alsoBreaks: [rules].flat(), ...change }
}

/** Adds MUST rules that remain undecided. */
export function addUnprovenRules<Row extends Change>(
  rules: readonly string[],
  change: Row,
): Row & Pick<LegalDeployment, 'unproven'> {
  return { unproven: rules, ...change }
}

export function listFamilyIds(family: string, ...numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => `${family}-${number}`)
}
