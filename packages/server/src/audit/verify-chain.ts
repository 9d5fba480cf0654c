import type { Store, Tx } from '../store/store.ts'
import { chainStart, findLinkViolation, type ChainViolation } from './chain.ts'
import {
  findChainHead,
  listChainHeads,
  listChainLinks,
  listChains,
  type ChainHead,
} from './rows.ts'

/** Describes a chain that was verified. */
export interface VerifiedChain {
  readonly orgId: string
  readonly events: number
  /** Hash of the last event in hex. Kept elsewhere, it proves later that nothing before it was rewritten. */
  readonly headHash: string
  readonly violation: ChainViolation | undefined
}

/** Describes the progress of a verification. */
export interface ChainProgress {
  readonly orgId: string
  readonly eventsVerified: number
}

/** Describes the options of `verifyChains`. */
export interface VerifyChains {
  /** Called after each batch. */
  readonly onProgress?: (progress: ChainProgress) => void
  /** Default 1,000. */
  readonly batchSize?: number
}

/**
 * Recomputes every hash of every chain and names the first broken event of each. Reads in batches, so that
 * neither memory nor a transaction grows with the log; events appended meanwhile are left for the next run.
 */
export async function verifyChains(
  { store }: { readonly store: Store },
  { onProgress, batchSize = 1_000 }: VerifyChains = {},
): Promise<VerifiedChain[]> {
  const { chains, chainHeads } = await store.maintenance(async (tx) => {
    // In this order: an event is never committed before the head of its chain.
    const chains = await listChains(tx)
    return { chains, chainHeads: await listChainHeads(tx) }
  })
  const headless = chains
    .filter((orgId) => !chainHeads.some((chainHead) => chainHead.orgId === orgId))
    .map((orgId) => ({ orgId, sequence: chainStart.sequence, hash: chainStart.hash }))
  const verified: VerifiedChain[] = []
  const run: RunBatch = (work) => store.maintenance(work)
  for (const chainHead of [...chainHeads, ...headless]) {
    verified.push(await verifyChain({ run, batchSize, onProgress }, chainHead))
  }
  return verified
}

/** Verifies the chain of one organization, as its own requests see it. */
export async function verifyOwnChain(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  orgId: string,
): Promise<VerifiedChain> {
  const run: RunBatch = (work) => store.transaction({ orgId }, work)
  const chainHead = await run((tx) => findChainHead(tx, orgId))
  return verifyChain(
    { run, batchSize: 1_000, onProgress: undefined },
    chainHead ?? { orgId, ...chainStart },
  )
}

type RunBatch = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

interface ChainDeps {
  readonly run: RunBatch
  readonly batchSize: number
  readonly onProgress: VerifyChains['onProgress']
}

async function verifyChain(
  { run, batchSize, onProgress }: ChainDeps,
  chainHead: ChainHead,
): Promise<VerifiedChain> {
  const { orgId } = chainHead
  let last = chainStart
  for (;;) {
    const batch = await run((tx) => verifyBatch(tx, { chainHead, last, batchSize }))
    last = batch.last
    onProgress?.({ orgId, eventsVerified: last.sequence })
    const result = { orgId, events: last.sequence, headHash: last.hash.toString('hex') }
    if (batch.violation !== undefined) return { ...result, violation: batch.violation }
    if (batch.done) return { ...result, violation: findEndViolation(chainHead, last) }
  }
}

interface Batch {
  readonly last: Pick<ChainHead, 'sequence' | 'hash'>
  readonly done: boolean
  readonly violation: ChainViolation | undefined
}

async function verifyBatch(
  tx: Tx,
  { chainHead, last, batchSize }: { chainHead: ChainHead; last: Batch['last']; batchSize: number },
): Promise<Batch> {
  const links = await listChainLinks(tx, chainHead.orgId, {
    afterSequence: last.sequence,
    limit: batchSize,
  })
  let current = last
  for (const link of links) {
    const violation = findLinkViolation(current, link)
    if (violation !== undefined) return { last: current, done: true, violation }
    current = link
    if (current.sequence === chainHead.sequence) break
  }
  const done = links.length < batchSize || current.sequence === chainHead.sequence
  return { last: current, done, violation: undefined }
}

/** Events that are missing at the end leave a head that no event reaches. */
function findEndViolation(chainHead: ChainHead, last: Batch['last']): ChainViolation | undefined {
  if (last.sequence < chainHead.sequence) {
    return { eventId: null, sequence: last.sequence + 1, reason: 'missing' }
  }
  if (last.hash.equals(chainHead.hash)) return undefined
  return { eventId: null, sequence: chainHead.sequence, reason: 'end_differs' }
}
