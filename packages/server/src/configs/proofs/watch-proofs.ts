import type { Tx } from '../../store/store.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { listSchemaRows } from '../schemas/schema-rows.ts'
import type { ReadFor, SignalRow } from '../signals/signal.ts'
import { openCredential, type Credential } from '../signals/credential.ts'
import { saveReading } from '../signals/signal-rows.ts'
import { endProof, storeProofs } from './end-proof.ts'
import { judgeProof } from './judge-proof.ts'
import type { ProofDeps } from './proof-deps.ts'
import {
  insertReadings,
  listWatching,
  lockWatching,
  noteRead,
  takeDue,
  type DueWatch,
  type ReadingRow,
} from './proof-rows.ts'
import { noteCheck, resumeLeft, type Ending, type ProofRow } from './proof.ts'
import { findDeployed, reportsOf, readReports } from './read-proofs.ts'
import { takeBack, type FailedProof } from './take-back.ts'

/** Sets how often the signals of proofs are read, in milliseconds. */
const checkEveryMs = 15_000
/** Leaves an organization to this node for so long, in milliseconds. If reading takes longer, another node reads as well, and one of the two counts. */
const takenForMs = 60_000
const takenAtOnce = 20
/** Bounds the reads of one organization at the same time. A query about flags asks for up to ten. */
const readsAtOnce = 10

/** Looks at the proofs of every organization whose signals are due. */
export async function watchProofs(deps: ProofDeps): Promise<void> {
  const now = deps.now()
  const nextAt = new Date(now.getTime() + takenForMs)
  const due = await deps.store.maintenance((tx) => takeDue(tx, { now, nextAt, limit: takenAtOnce }))
  await Promise.all(due.map((watch) => checkOrganization(deps, watch, now)))
}

async function checkOrganization(deps: ProofDeps, watch: DueWatch, now: Date): Promise<void> {
  const { orgId } = watch
  const goesOn = await checkProofs(deps, orgId)
  const nextAt = goesOn ? new Date(now.getTime() + checkEveryMs) : null
  await deps.store.transaction({ orgId }, (tx) => noteRead(tx, watch, nextAt))
}

/** Reads the signals of the proofs of an organization, judges these, and takes back what failed. Returns whether some go on. */
export async function checkProofs(deps: ProofDeps, orgId: string): Promise<boolean> {
  const readings = await readSignals(deps, orgId)
  const { failed, goesOn } = await deps.store.transaction({ orgId }, (tx) =>
    judgeAll(deps, tx, orgId, readings),
  )
  for (const each of failed) await takeBack(deps, orgId, each)
  return goesOn
}

/** Describes a reading, and how long the proof had been watched before it. */
interface FreshReading extends ReadingRow {
  readonly watchedAt: Date
}

/** Reads each signal once for all proofs that ask the same of it, a few at a time: each read may hold a connection for seconds. */
async function readSignals(deps: ProofDeps, orgId: string): Promise<FreshReading[]> {
  const questions = await deps.store.transaction({ orgId }, (tx) => listQuestions(deps, tx, orgId))
  const waiting = Map.groupBy(questions, ({ signal, readFor }) =>
    JSON.stringify([signal.id, signal.spec.kind === 'http' ? null : readFor]),
  ).values()
  const readings: FreshReading[] = []
  const readWaiting = async () => {
    for (const same of waiting) readings.push(...(await readOnce(deps, same)))
  }
  await Promise.all(Array.from({ length: readsAtOnce }, readWaiting))
  return readings
}

async function readOnce(deps: ProofDeps, same: readonly Question[]): Promise<FreshReading[]> {
  const [first] = same
  if (first === undefined) return []
  const reading = await deps.signalReader.read(first.signal, first.readFor, first.credential)
  const at = deps.now()
  return same.map(({ proof: { id, fence, watchedAt }, signal }) => {
    return { ...reading, proofId: id, signalId: signal.id, fence, at, watchedAt }
  })
}

interface Question {
  readonly proof: ProofRow
  readonly signal: SignalRow
  readonly readFor: ReadFor
  readonly credential: Credential
}

/** Lists what is to be read: each signal of each proof that is not waiting, but its test runs. */
async function listQuestions(
  { proofPorts, keys }: ProofDeps,
  tx: Tx,
  orgId: string,
): Promise<Question[]> {
  const proofs = (await listWatching(tx, orgId)).filter(({ waitsFor }) => waitsFor === null)
  if (proofs.length === 0) return []
  const { signals } = await readReports(proofPorts, tx, orgId, proofs)
  const sealer = await keys.getSealer(tx, orgId)
  const environments = new Map((await listEnvironmentRows(tx, orgId)).map((row) => [row.id, row]))
  const schemas = new Map((await listSchemaRows(tx, orgId)).map((row) => [row.id, row]))
  return proofs.flatMap((proof) => {
    const schema = schemas.get(proof.schemaId)
    const readFor: ReadFor = {
      environment: environments.get(proof.environmentId)?.name ?? '',
      schema: schema?.name ?? '',
      version: proof.version,
      flags: proof.keys.filter((key) => schema?.definition[key]?.tier === 'featureFlags'),
      since: proof.startedAt,
    }
    return proof.terms.signals.flatMap((id) => {
      const signal = signals.get(id)
      return signal === undefined || signal.spec.kind === 'tests'
        ? []
        : [{ proof, signal, readFor, credential: openCredential(sealer, orgId, signal) }]
    })
  })
}

interface JudgedAll {
  readonly failed: readonly FailedProof[]
  readonly goesOn: boolean
}

async function judgeAll(
  deps: ProofDeps,
  tx: Tx,
  orgId: string,
  readings: readonly FreshReading[],
): Promise<JudgedAll> {
  const now = deps.now()
  const stored = await lockWatching(tx, orgId)
  const proofs = new Map(stored.map((proof) => [proof.id, proof]))
  for (const proof of resumeLeft(stored, now)) proofs.set(proof.id, proof)
  // Two looks at the same time count as one.
  const isCurrent = ({ proofId, watchedAt }: FreshReading) =>
    proofs.get(proofId)?.watchedAt.getTime() === watchedAt.getTime()
  const fresh = readings.filter(isCurrent)
  await insertReadings(tx, orgId, fresh)
  const last = new Map(fresh.map((reading) => [reading.signalId, reading]))
  for (const [id, { at, verdict, value, detail }] of last)
    await saveReading(tx, orgId, { id, reading: { verdict, value, detail }, at })
  const reports = await readReports(deps.proofPorts, tx, orgId, [...proofs.values()])
  const isDeployed = await findDeployed(deps.proofPorts, tx, orgId, [...proofs.values()])
  const failed: FailedProof[] = []
  // The newest first: an older change that is still live may be judged with it.
  for (const { id, fence } of stored.toReversed()) {
    const proof = proofs.get(id)
    // One that goes on from now on is judged by what is read from now on.
    if (proof?.state !== 'watching' || proof.waitsFor !== null || proof.fence !== fence) continue
    const checked = noteCheck(proof, now)
    proofs.set(id, checked)
    const { terms, until } = checked
    const signals = reportsOf(checked, reports)
    const ending = judgeProof({ terms, until, now, isDeployed: isDeployed(checked), signals })
    if (ending?.state === 'failed' && terms.onFailure === 'restore') {
      failed.push({ proof: checked, ending })
    } else if (ending !== undefined) endProof(proofs, checked, withReason(ending, checked), now)
  }
  await storeProofs(deps, tx, orgId, { stored, proofs })
  return { failed, goesOn: [...proofs.values()].some(({ state }) => state === 'watching') }
}

function withReason(ending: Ending, { keys }: ProofRow): Ending {
  if (ending.state !== 'failed') return ending
  const detail = 'Its terms say that people are only told.'
  return { ...ending, notRestored: { code: 'tell', keys, detail } }
}
