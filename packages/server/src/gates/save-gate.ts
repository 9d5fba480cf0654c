import { limits, Problem } from '@signalbox/contract'
import type { BodyOf, gateEndpoints } from '@signalbox/contract/rest'
import type { AuditEvent } from '../audit/audit-event.ts'
import type { Caller } from '../audit/caller.ts'
import { recordAuditEvent } from '../audit/record-event.ts'
import {
  findEnvironmentRow,
  listEnvironmentRows,
} from '../configs/environments/environment-rows.ts'
import { newId } from '../crypto/ids.ts'
import { requireVersion } from '../http/admission/preconditions.ts'
import { notFound } from '../http/answers/problem-response.ts'
import { findMemberIds } from '../identity/members/approvers.ts'
import type { Tx } from '../store/store.ts'
import { isKnownZone } from './freeze-window.ts'
import type { GateDeps } from './gate-deps.ts'
import {
  deleteFreezeRow,
  deleteGateRow,
  listGateRows,
  lockGates,
  saveFreezeRow,
  saveGateRow,
  type FreezeRow,
} from './gate-rows.ts'
import type { GateRow } from './gate.ts'

type SaveDeps = Pick<GateDeps, 'store' | 'now'>
type GateFields = BodyOf<typeof gateEndpoints.createGate>

/** Creates a gate. @throws {Problem} `already_exists`, `quota_exceeded`, `validation_failed` */
export async function createGate(
  { store, now }: SaveDeps,
  caller: Caller,
  fields: GateFields,
): Promise<GateRow> {
  const { orgId } = caller
  return store.transaction(caller.scope, async (tx) => {
    await lockGates(tx, orgId)
    const others = await listGateRows(tx, orgId)
    if (others.length >= limits.gatesPerOrganization) {
      const detail = `The organization has ${others.length} gates. Delete one first.`
      throw new Problem('quota_exceeded', detail)
    }
    requireFreeName(others, fields.name)
    await requireKnown(tx, orgId, fields)
    const at = now()
    const row = { ...fields, id: newId('gat', at), revision: 1, createdAt: at, updatedAt: at }
    await saveGateRow(tx, orgId, row)
    record(tx, caller, { action: 'gate.created', target: targetOf(row), detail: detailOf(row) })
    return row
  })
}

/** Changes a gate. @throws {Problem} `not_found`, `revision_mismatch`, `already_exists`, `validation_failed` */
export async function updateGate(
  { store, now }: SaveDeps,
  caller: Caller,
  {
    id,
    ifMatch,
    fields,
  }: {
    readonly id: string
    readonly ifMatch: number | undefined
    readonly fields: GateFields
  },
): Promise<GateRow> {
  const { orgId } = caller
  return store.transaction(caller.scope, async (tx) => {
    await lockGates(tx, orgId)
    const all = await listGateRows(tx, orgId)
    const before = all.find((row) => row.id === id)
    if (before === undefined) throw notFound()
    requireVersion(before.revision, ifMatch)
    requireFreeName(
      all.filter((row) => row.id !== id),
      fields.name,
    )
    await requireKnown(tx, orgId, fields)
    const row = { ...before, ...fields, revision: before.revision + 1, updatedAt: now() }
    await saveGateRow(tx, orgId, row)
    record(tx, caller, { action: 'gate.updated', target: targetOf(row), detail: detailOf(row) })
    return row
  })
}

/** Deletes a gate. @throws {Problem} `not_found` */
export async function deleteGate({ store }: SaveDeps, caller: Caller, id: string): Promise<void> {
  await store.transaction(caller.scope, async (tx) => {
    const name = await deleteGateRow(tx, caller.orgId, id)
    if (name === undefined) throw notFound()
    record(tx, caller, { action: 'gate.deleted', target: targetOf({ id, name }) })
  })
}

/** Freezes an environment until a time. @throws {Problem} `not_found`, `validation_failed` */
export async function freezeEnvironment(
  { store, now }: SaveDeps,
  caller: Caller,
  of: { readonly ref: string; readonly until: Date; readonly reason: string },
): Promise<FreezeRow> {
  const frozenAt = now()
  if (of.until <= frozenAt) {
    throw new Problem('validation_failed', 'The end of a freeze lies ahead.', {
      errors: [error('/until', 'Use a time that lies ahead.')],
    })
  }
  return store.transaction(caller.scope, async (tx) => {
    const environment = await findEnvironmentRow(tx, caller.orgId, of.ref)
    if (environment === undefined) throw notFound()
    const { id, name } = environment
    const { until, reason } = of
    const row = { environmentId: id, until, reason, frozenBy: caller.author, frozenAt }
    await saveFreezeRow(tx, caller.orgId, row)
    record(tx, caller, {
      action: 'environment.frozen',
      target: { type: 'environment', id, name },
      detail: { until: until.toISOString(), reason },
    })
    return row
  })
}

/** Ends the freeze of an environment. One that is not frozen stays so. @throws {Problem} `not_found` */
export async function endFreeze({ store }: SaveDeps, caller: Caller, ref: string): Promise<void> {
  await store.transaction(caller.scope, async (tx) => {
    const environment = await findEnvironmentRow(tx, caller.orgId, ref)
    if (environment === undefined) throw notFound()
    const { id, name } = environment
    if (!(await deleteFreezeRow(tx, caller.orgId, id))) return
    record(tx, caller, {
      action: 'environment.unfrozen',
      target: { type: 'environment', id, name },
    })
  })
}

function requireFreeName(others: readonly GateRow[], name: string): void {
  if (!others.some((each) => each.name.toLowerCase() === name.toLowerCase())) return
  throw new Problem('already_exists', `A gate is called ${name} already. Choose another name.`)
}

/** Refuses what no deployment could ever meet: environments, members and time zones that are not there. */
async function requireKnown(tx: Tx, orgId: string, fields: GateFields): Promise<void> {
  const known = new Set((await listEnvironmentRows(tx, orgId)).map(({ id }) => id))
  const members = await findMemberIds(
    tx,
    orgId,
    fields.rules.flatMap((rule) => (rule.rule === 'approvals' ? rule.members : [])),
  )
  const errors = [
    ...fields.environmentIds.flatMap((id, index) =>
      known.has(id) ? [] : [error(`/environmentIds/${index}`, noEnvironment)],
    ),
    ...fields.rules.flatMap((rule, index) => listRuleErrors(rule, { index, known, members })),
  ]
  if (errors.length === 0) return
  throw new Problem('validation_failed', 'The gate names what is not there.', { errors })
}

const noEnvironment = 'The organization has no such environment.'
const error = (pointer: string, detail: string) =>
  ({ pointer, code: 'validation_failed', detail }) as const

interface KnownNames {
  readonly index: number
  readonly known: ReadonlySet<string>
  readonly members: ReadonlySet<string>
}

function listRuleErrors(rule: GateFields['rules'][number], { index, known, members }: KnownNames) {
  const at = `/rules/${index}`
  switch (rule.rule) {
    case 'tests':
    case 'soak':
      return known.has(rule.environmentId) ? [] : [error(`${at}/environmentId`, noEnvironment)]
    case 'freeze':
      return rule.windows.flatMap(({ zone }, window) =>
        isKnownZone(zone)
          ? []
          : [
              error(
                `${at}/windows/${window}/zone`,
                'Use the name of a time zone, such as Europe/Berlin.',
              ),
            ],
      )
    case 'approvals':
      return listApproverErrors(rule, { at, members })
    case 'configuration':
    case 'issues':
    case 'quiet':
      return []
  }
}

function listApproverErrors(
  rule: Extract<GateFields['rules'][number], { readonly rule: 'approvals' }>,
  { at, members }: { readonly at: string; readonly members: ReadonlySet<string> },
) {
  const unknown = rule.members.flatMap((id, index) =>
    members.has(id)
      ? []
      : [error(`${at}/members/${index}`, 'The organization has no such member.')],
  )
  const tooFew =
    rule.members.length > 0 && new Set(rule.members).size < rule.count
      ? [error(`${at}/count`, 'Fewer members are named than approvals are needed.')]
      : []
  return [...unknown, ...tooFew]
}

function targetOf({ id, name }: Pick<GateRow, 'id' | 'name'>) {
  return { type: 'gate', id, name }
}

function detailOf({ mode, rules, environmentIds, repositories }: GateRow) {
  return { mode, rules: rules.map(({ rule }) => rule), environmentIds, repositories }
}

function record(
  tx: Tx,
  { orgId, author, request }: Caller,
  event: Pick<AuditEvent, 'action' | 'target' | 'detail'>,
): void {
  recordAuditEvent(tx, { orgId, actor: author, request, ...event })
}
