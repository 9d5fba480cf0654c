import { canonicalJson, limits, Problem, type ProblemCode } from '@signalbox/contract'
import type { RequestedOperation } from '@signalbox/contract/rest'
import { newId } from '../../crypto/ids.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'
import type { Tx } from '../../store/store.ts'
import type { Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { listSchemaRows } from '../schemas/schema-rows.ts'
import { lockStructure } from '../values/current-rows.ts'
import type { StoredDefinition } from '../../config-model/definition.ts'
import { hideEffect } from './keep-effects.ts'
import { keepOmitted, omitSecrets, type RedactedOperation } from './omit-secrets.ts'
import {
  openOperations,
  planRequest,
  sealOperation,
  toWhole,
  type WholeOperation,
} from './plan-request.ts'
import { readRequest, readRequests, requireWriter, type WholeRequest } from './read-standing.ts'
import {
  insertRequestRow,
  insertRevisionRow,
  listWaitingRows,
  reviseRequestRow,
} from './request-rows.ts'
import { stateOf, type KeptEffect, type RequestRow } from './request.ts'
import { recordRequestEvent, viaOf } from './request-events.ts'
import { scheduleRequest } from './schedule-request.ts'
import type { RequestDeps } from './request-deps.ts'

const dayMs = 24 * 60 * 60_000
const waitingDays = 30
const aheadDays = 90

/** Describes what somebody asks for. */
export interface AskForChange {
  readonly title: string
  readonly reason?: string | undefined
  readonly operation: RequestedOperation
  readonly applyAt?: string | null | undefined
  /** Called where secrets become readable by others. */
  readonly authorizeReveal: () => void
}

/**
 * Makes a request. The same author asking for the same change again gets the request that waits already.
 *
 * @throws {Problem} `validation_failed` for a change of nothing and for a time that does not fit, `quota_exceeded`, and what the
 * operation is refused with
 */
export async function createRequest(
  deps: RequestDeps,
  caller: Caller,
  change: AskForChange,
): Promise<WholeRequest> {
  const now = deps.now()
  const applyAt = readTime(change.applyAt, now)
  const whole = toWhole(change.operation)
  const effects = await planRequest(deps, caller, {
    whole,
    authorizeReveal: change.authorizeReveal,
  })
  requireEffects(effects)
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    await lockStructure(tx, orgId)
    const waiting = await findWaiting(deps, tx, caller, change.operation)
    if (waiting !== undefined) return waiting
    const id = newId('chr', now)
    await insertRequestRow(tx, orgId, {
      id,
      ...describe(change, effects, { now, applyAt }),
      author: { ...caller.author, ...viaOf(caller) },
      authorId: caller.author.id,
    })
    await storeRevision(deps, tx, caller, { requestId: id, revision: 1, whole, effects, now })
    const request = await readRequest(tx, caller, { ref: id })
    await scheduleRequest(deps, tx, orgId, request.request)
    await recordRequestEvent(deps, tx, caller, {
      action: 'change.requested',
      request: request.request,
      detail: { kind: change.operation.kind, environmentIds: request.request.environmentIds },
    })
    return request
  })
}

/** Describes another revision of a request. */
export interface ReviseRequest extends AskForChange {
  readonly ref: string
  /** The version that the caller has seen. */
  readonly ifMatch: number | undefined
}

/**
 * Changes what a request does. Earlier approvals stop counting, and whoever does it is an author from then on.
 *
 * @throws {Problem} `invalid_header` without a version, `revision_mismatch`, `conflict` once it has ended, `role_forbidden` for those
 * who are no author and may not write there, and as `createRequest`
 */
export async function reviseRequest(
  deps: RequestDeps,
  caller: Caller,
  { ref, ifMatch, ...change }: ReviseRequest,
): Promise<WholeRequest> {
  const now = deps.now()
  const applyAt = readTime(change.applyAt, now)
  const { orgId } = caller
  const { idempotency: _key, ...scope } = caller.scope
  const operation = await deps.store.transaction(scope, async (tx) => {
    const waiting = await readRequest(tx, caller, { ref })
    const { request, revision } = waiting
    const isAuthor = caller.author.id !== null && waiting.authorIds.has(caller.author.id)
    if (!isAuthor) requireWriter(caller, waiting)
    requireWaiting(request, now)
    requireSeen(request.version, ifMatch)
    const operations = await openOperations(deps, tx, orgId, [request.id])
    const { omitted } = await redactOperation(tx, orgId, change.operation)
    const sealed = revision.omitted.filter((pointer) => omitted.includes(pointer))
    const filled = keepOmitted(change.operation, sealed, operations.get(request.id)?.operation)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values at some places alone are others
    return filled as RequestedOperation
  })
  const whole = toWhole(operation)
  const effects = await planRequest(deps, caller, {
    whole,
    authorizeReveal: change.authorizeReveal,
  })
  requireEffects(effects)
  return deps.store.transaction(caller.scope, async (tx) => {
    const { request } = await readRequest(tx, caller, { ref, lock: true })
    requireWaiting(request, now)
    requireVersion(request.version, ifMatch)
    const { id } = request
    await reviseRequestRow(tx, orgId, {
      id,
      ...describe({ ...change, operation }, effects, { now, applyAt }),
    })
    const revision = request.revision + 1
    await storeRevision(deps, tx, caller, { requestId: id, revision, whole, effects, now })
    const revised = await readRequest(tx, caller, { ref: id })
    await scheduleRequest(deps, tx, orgId, revised.request)
    await recordRequestEvent(deps, tx, caller, {
      action: 'change.revised',
      request,
      detail: { revision },
    })
    return revised
  })
}

function describe(
  { title, reason = '', operation }: AskForChange,
  effects: readonly KeptEffect[],
  { now, applyAt }: { readonly now: Date; readonly applyAt: Date | null },
) {
  const expires = now.getTime() + waitingDays * dayMs
  return {
    title,
    reason,
    kind: operation.kind,
    environmentIds: [...new Set(effects.map(({ environmentId }) => environmentId))],
    applyAt,
    // One that is approved for a later day lives until then.
    expiresAt: new Date(Math.max(expires, (applyAt?.getTime() ?? 0) + dayMs)),
    now,
  }
}

interface StoreRevision {
  readonly requestId: string
  readonly revision: number
  readonly whole: WholeOperation
  readonly effects: readonly KeptEffect[]
  readonly now: Date
}

async function storeRevision(
  deps: ConfigDeps,
  tx: Tx,
  { orgId, author }: Caller,
  { requestId, revision, whole, effects, now }: StoreRevision,
): Promise<void> {
  // No key becomes a secret until this is stored.
  await lockStructure(tx, orgId)
  const sealer = await deps.keys.getSealer(tx, orgId)
  const definitions = await readDefinitions(tx, orgId)
  const redacted = redact(definitions, whole.operation)
  const isSecret = ({ schemaId, key }: KeptEffect) =>
    definitions.get(schemaId ?? '')?.[key ?? '']?.tier === 'secret'
  await insertRevisionRow(tx, orgId, {
    requestId,
    revision,
    ...redacted,
    sealed: sealOperation(sealer, { orgId, requestId, revision }, whole),
    // A key may have become one since the effects were planned.
    effects: effects.map((effect) => (isSecret(effect) ? hideEffect(effect) : effect)),
    authorId: author.id,
    now,
  })
}

/** Returns an operation without the values of what the schemas call secrets. */
export async function redactOperation(
  tx: Tx,
  orgId: string,
  operation: RequestedOperation,
): Promise<RedactedOperation> {
  return redact(await readDefinitions(tx, orgId), operation)
}

type Definitions = ReadonlyMap<string, StoredDefinition>

async function readDefinitions(tx: Tx, orgId: string): Promise<Definitions> {
  return new Map((await listSchemaRows(tx, orgId)).map(({ id, definition }) => [id, definition]))
}

function redact(definitions: Definitions, operation: RequestedOperation): RedactedOperation {
  return omitSecrets(operation, (schemaId, key) => {
    const rule = definitions.get(schemaId)?.[key]
    return rule === undefined || rule.tier === 'secret'
  })
}

/** Finds the request of the same author that waits for the same change. Holds the lock that keeps others from making one. */
async function findWaiting(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  operation: RequestedOperation,
): Promise<WholeRequest | undefined> {
  const { orgId, author } = caller
  const rows = await listWaitingRows(tx, orgId)
  const candidates = rows.filter(
    ({ authorId, kind }) => authorId === author.id && kind === operation.kind,
  )
  const operations = await openOperations(
    deps,
    tx,
    orgId,
    candidates.map(({ id }) => id),
  )
  const text = canonicalJson(operation)
  for (const whole of await readRequests(tx, orgId, candidates)) {
    const { request } = whole
    const own = operations.get(request.id)
    const isLost = stateOf(whole) === 'declined' || request.conflict !== null
    if (!isLost && own !== undefined && canonicalJson(own.operation) === text) return whole
  }
  if (rows.length < limits.changeRequestsWaiting) return undefined
  const detail = `At most ${limits.changeRequestsWaiting} requests wait at a time. Apply or withdraw one first.`
  throw new Problem('quota_exceeded', detail)
}

/** @throws {Problem} `invalid_header`, `revision_mismatch` */
function requireSeen(version: number, ifMatch: number | undefined): void {
  if (ifMatch !== undefined) {
    requireVersion(version, ifMatch)
    return
  }
  const detail = 'Send the ETag of the request as If-Match, so that nobody’s revision is lost.'
  throw new Problem('invalid_header', detail)
}

function requireEffects(effects: readonly KeptEffect[]): void {
  if (effects.length > 0) return
  throw invalid('/operation', 'This changes nothing that readers get. Save it without a request.')
}

/** Reads the time at which a request applies itself. @throws {Problem} `validation_failed` */
export function readTime(text: string | null | undefined, now: Date): Date | null {
  if (text === null || text === undefined) return null
  const at = new Date(text)
  const ahead = at.getTime() - now.getTime()
  if (ahead <= 0) throw invalid('/applyAt', 'Choose a time in the future.')
  if (ahead > aheadDays * dayMs) {
    throw invalid('/applyAt', `Choose a time within the next ${aheadDays} days.`)
  }
  return at
}

function invalid(pointer: string, detail: string): Problem {
  const code: ProblemCode = 'validation_failed'
  return new Problem(code, detail, { errors: [{ pointer, code, detail }] })
}

/** Refuses to change what has ended. @throws {Problem} `conflict` */
export function requireWaiting(
  { state: stored, expiresAt }: Pick<RequestRow, 'state' | 'expiresAt'>,
  now: Date,
): void {
  const state = stored === 'waiting' && expiresAt <= now ? 'expired' : stored
  if (state === 'waiting') return
  const detail = `The request is ${state}, so it does not change any more. Make a new one.`
  throw new Problem('conflict', detail)
}
