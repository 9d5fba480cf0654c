import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'

/** Names the kind of a variable: `sensitive` ones are never shown again. */
export type VercelType = 'plain' | 'encrypted' | 'sensitive'

/** Describes an environment variable of a project. */
export interface VercelVariable {
  readonly id: string
  readonly key: string
  value: string
  readonly type: VercelType
  readonly target: readonly string[]
  readonly gitBranch: string | null
  readonly createdAt: number
  updatedAt: number
}

/** Describes a project of a team. */
export interface VercelProject {
  readonly id: string
  readonly name: string
  /** Oldest first. */
  readonly variables: Map<string, VercelVariable>
}

/** Holds what the routes of Vercel share: one team with its token. */
export interface VercelState {
  readonly clock: Clock
  readonly team: { readonly id: string; readonly slug: string }
  readonly tokens: Set<string>
  readonly projects: Map<string, VercelProject>
}

/** Describes a variable to add, as a person does on Vercel's pages. */
export type NewVariable = Pick<VercelVariable, 'key' | 'value' | 'type' | 'target'> &
  Partial<Pick<VercelVariable, 'gitBranch'>>

/** Returns a new id of Vercel. Example: `prj_` and 24 characters. */
export function newVercelId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('hex')}`
}

export function storeVariable(
  { clock }: VercelState,
  { variables }: VercelProject,
  { key, value, type, target, gitBranch = null }: NewVariable,
): VercelVariable {
  const at = clock.now().getTime()
  const added = { id: newVercelId(''), key, value, type, target, gitBranch }
  const variable: VercelVariable = { ...added, createdAt: at, updatedAt: at }
  variables.set(variable.id, variable)
  return variable
}
