import { limits, may } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import type { Caller } from '../../config-model/caller.ts'
import { toPolicies, type EnvironmentPolicies } from '../../config-model/confirmation.ts'
import type { Actor } from '../../http/admission/actor.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { listSchemaRows } from '../schemas/schema-rows.ts'
import type { ProofDeps } from './proof-deps.ts'
import {
  findProofRow,
  listReadings,
  pageProofRows,
  type ProofFilter,
  type ReadingRow,
} from './proof-rows.ts'
import type { ProofRow } from './proof.ts'
import { readReports, type ProofReports } from './read-proofs.ts'

/** Holds a proof with what is shown beside it. */
export interface ProofView {
  readonly proof: ProofRow
  readonly reports: ProofReports
  readonly policies: EnvironmentPolicies
  readonly schemas: ReadonlyMap<string, string>
  readonly readings: readonly ReadingRow[]
}

/** Names who looks at a proof. */
export interface ProofViewer {
  readonly caller: Caller
  readonly actor: Actor
}

/** Lists the proofs that a caller may know of, newest first. */
export async function listProofs(
  deps: Pick<ProofDeps, 'store' | 'proofPorts'>,
  caller: Caller,
  filter: Omit<ProofFilter, 'environmentIds' | 'schemaIds'> & {
    readonly below: string | null
    readonly limit: number
  },
): Promise<ProofView[]> {
  const { orgId, environmentIds, schemaIds } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const rows = await pageProofRows(tx, orgId, { ...filter, environmentIds, schemaIds })
    return viewProofs(deps, tx, orgId, rows)
  })
}

/** Returns a proof with its newest readings. @throws {Problem} `not_found` */
export async function getProof(
  deps: Pick<ProofDeps, 'proofPorts'>,
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<ProofView> {
  const { orgId } = caller
  const row = await findProofRow(tx, orgId, id)
  if (row === undefined || !isReached(caller, row)) throw notFound()
  const readings = await listReadings(tx, orgId, { proofId: id, limit: limits.readingsShown })
  const [view] = await viewProofs(deps, tx, orgId, [row])
  if (view === undefined) throw notFound()
  return { ...view, readings }
}

/** Returns whether a caller may know of a proof: a key may be made for other environments. */
export function isReached(
  { permissions }: Caller,
  { environmentId, schemaId }: Pick<ProofRow, 'environmentId' | 'schemaId'>,
): boolean {
  return may(permissions, 'readValues', { environmentId, schemaId })
}

async function viewProofs(
  { proofPorts }: Pick<ProofDeps, 'proofPorts'>,
  tx: Tx,
  orgId: string,
  rows: readonly ProofRow[],
): Promise<ProofView[]> {
  if (rows.length === 0) return []
  const reports = await readReports(proofPorts, tx, orgId, rows)
  const policies = toPolicies(await listEnvironmentRows(tx, orgId))
  const schemas = new Map((await listSchemaRows(tx, orgId)).map(({ id, name }) => [id, name]))
  return rows.map((proof) => ({ proof, reports, policies, schemas, readings: [] }))
}
