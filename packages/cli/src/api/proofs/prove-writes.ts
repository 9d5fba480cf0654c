import type { ProofTerms } from '@signalbox/contract'
import { isRecord } from '../../project/json.ts'
import type { Call } from '../http.ts'
import type { CallInput, OperationName } from '../operations.ts'

/** Names a version that a command has made. */
export type MadeVersion =
  | { readonly versionId: string }
  | { readonly schemaId: string; readonly environmentId: string; readonly version: number }

/** Collects what a command has made, and whether something of it may be watched. */
export interface Writes {
  readonly made: MadeVersion[]
  /** Says that an environment was read whose changes are watched, or that the command asks for it. */
  isWatched: boolean
}

/** Lists the operations whose bodies may say how their versions are watched. */
const proving: ReadonlySet<OperationName> = new Set([
  'setConfigValues',
  'changeConfig',
  'promoteConfigValues',
  'restoreConfigVersion',
  'replaceSegment',
  'createRolloutPlan',
])
const writing: ReadonlySet<OperationName> = new Set([
  ...proving,
  'deleteConfigValues',
  'importConfig',
  'applyChangeRequest',
])

/**
 * Returns calls that say in each write how it is watched, and remember the versions that it has made. `readTerms` is called with
 * the organization when the first write is sent. Left out: the command says nothing of it.
 */
export function proveWrites(
  call: Call,
  writes: Writes,
  readTerms: ((orgId: string) => Promise<ProofTerms>) | undefined,
): Call {
  let terms: Promise<ProofTerms> | undefined
  return async (operation, input) => {
    const orgId: unknown = Reflect.get(Object(input?.params), 'org_id')
    const prove = proving.has(operation) ? await (terms ??= readTerms?.(String(orgId))) : undefined
    const isDryRun = Reflect.get(Object(input?.body), 'dryRun') === true
    const sent = prove === undefined ? input : { ...input, body: { ...Object(input?.body), prove } }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each of these bodies takes the member
    const answer = await call(operation, sent as CallInput<typeof operation>)
    if (prove !== undefined || hasPolicy(answer)) writes.isWatched = true
    if (writing.has(operation) && !isDryRun) writes.made.push(...listMade(answer))
    return answer
  }
}

/** Returns whether an answer has an environment whose changes are watched. */
function hasPolicy(answer: unknown): boolean {
  if (!isRecord(answer)) return false
  const environments = Array.isArray(answer['items']) ? answer['items'] : [answer]
  return environments.some(
    (each) =>
      isRecord(each) && isRecord(each['protection']) && isRecord(each['protection']['prove']),
  )
}

/** Returns the versions that the answer of a write names, in each of the forms in which answers do. */
export function listMade(answer: unknown): MadeVersion[] {
  if (!isRecord(answer)) return []
  const { schemaId, environmentId, version, environments, appliedVersions } = answer
  if (typeof schemaId === 'string' && typeof environmentId === 'string')
    return typeof version === 'number' ? [{ schemaId, environmentId, version }] : []
  const all: readonly unknown[] = [
    version,
    ...(Array.isArray(environments) ? environments.map((each) => Object(each).version) : []),
    ...(Array.isArray(appliedVersions) ? appliedVersions : []),
  ]
  return all
    .filter(isRecord)
    .flatMap(({ id, versionId = id }) => (typeof versionId === 'string' ? [{ versionId }] : []))
}
