import { limits, Problem } from '@signalbox/contract'
import type { BodyOf, previewEndpoints } from '@signalbox/contract/rest'
import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '../audit/audit-event.ts'
import type { Caller } from '../audit/caller.ts'
import { recordAuditEvent } from '../audit/record-event.ts'
import { listEnvironmentRows } from '../configs/environments/environment-rows.ts'
import { lockEnvironments, renewPreview } from '../configs/environments/preview-environments.ts'
import { newId } from '../crypto/ids.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Tx } from '../store/store.ts'
import { asPreviews } from './as-previews.ts'
import { endPreview } from './change-preview.ts'
import { followQueue, type PreviewDeps } from './preview-deps.ts'
import { listPreviewRows } from './preview-rows.ts'
import type { PreviewRuleRow } from './preview-rule.ts'
import { deleteRuleRow, listRuleRows, saveRuleRow } from './rule-rows.ts'

type RuleBody = BodyOf<typeof previewEndpoints.createPreviewRule>

/**
 * Creates a rule. Previews of what is deployed already come with the next look at each repository.
 *
 * @throws {Problem} `already_exists`, `quota_exceeded`, `conflict` for a parent that is a preview, `validation_failed`
 */
export async function createRule(
  deps: PreviewDeps,
  caller: Caller,
  body: RuleBody,
): Promise<PreviewRuleRow> {
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    await lockEnvironments(tx, orgId)
    const rules = await listRuleRows(tx, orgId)
    if (rules.length >= limits.previewRulesPerOrganization) throw tooMany()
    const now = deps.now()
    const times = { createdAt: now, updatedAt: now }
    const rule = { id: newId('prv', now), ...toFields(body), revision: 1, ...times }
    requireFree(rules, rule)
    await requireParent(tx, orgId, rule)
    await saveRuleRow(tx, orgId, rule)
    record(tx, caller, 'preview_rule.created', rule)
    return rule
  })
}

/**
 * Changes a rule. Previews that live inherit the secrets of the new one with this transaction, and no older version of them is
 * served any more. Those that it no longer fits end with the next look at their repository.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`, `already_exists`, `conflict`, `validation_failed`, what publishing throws
 */
export async function updateRule(
  deps: PreviewDeps,
  caller: Caller,
  { id, revision, ...body }: RuleBody & { readonly id: string; readonly revision: number },
): Promise<PreviewRuleRow> {
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    await lockEnvironments(tx, orgId)
    const rules = await listRuleRows(tx, orgId)
    const before = rules.find((one) => one.id === id)
    if (before === undefined) throw notFound()
    if (before.revision !== revision) throw changed()
    const counted = { revision: revision + 1, updatedAt: deps.now() }
    const rule = { ...before, ...toFields(body), ...counted }
    requireFree(rules, rule)
    await requireParent(tx, orgId, rule)
    await saveRuleRow(tx, orgId, rule)
    record(tx, caller, 'preview_rule.updated', rule)
    const previews = (await listPreviewRows(tx, orgId)).filter((row) => row.ruleId === id)
    if (!isDeepStrictEqual(before.secrets, rule.secrets)) {
      const live = previews.filter(({ state }) => state === 'live')
      for (const { environmentId } of live) {
        const of = { id: environmentId ?? '', inheritedSecrets: rule.secrets }
        await renewPreview(deps.configs, tx, asPreviews(orgId, caller), of)
      }
    }
    await requestFollow(deps, tx, orgId, previews)
    return rule
  })
}

/** Deletes a rule, and ends the previews that it made. @throws {Problem} `not_found` */
export async function deleteRule(deps: PreviewDeps, caller: Caller, id: string): Promise<void> {
  const { orgId } = caller
  await deps.store.transaction(caller.scope, async (tx) => {
    await lockEnvironments(tx, orgId)
    const rule = (await listRuleRows(tx, orgId)).find((one) => one.id === id)
    if (rule === undefined) throw notFound()
    await deleteRuleRow(tx, orgId, id)
    record(tx, caller, 'preview_rule.deleted', rule)
    const previews = (await listPreviewRows(tx, orgId)).filter((row) => row.ruleId === id)
    for (const preview of previews.filter(({ state }) => state === 'live'))
      await endPreview(deps, tx, asPreviews(orgId, caller), { preview, reason: 'rule' })
    await requestFollow(deps, tx, orgId, previews)
  })
}

/** Lists the rules of an organization. */
export async function listRules(
  { store }: Pick<PreviewDeps, 'store'>,
  { orgId, scope }: Pick<Caller, 'orgId' | 'scope'>,
): Promise<PreviewRuleRow[]> {
  return store.transaction(scope, (tx) => listRuleRows(tx, orgId))
}

async function requestFollow(
  { jobs }: PreviewDeps,
  tx: Tx,
  orgId: string,
  previews: readonly { readonly repositoryId: string }[],
): Promise<void> {
  const ids = [...new Set(previews.map(({ repositoryId }) => repositoryId))]
  const added = ids.map((id) => ({ data: { orgId, id }, key: id }))
  await jobs.enqueueAll(tx, followQueue, added)
}

function toFields({ secrets, repositories, ...body }: RuleBody) {
  const names = { none: [], all: null }
  return {
    ...body,
    repositories: repositories.toSorted(),
    secrets: typeof secrets === 'string' ? names[secrets] : [...new Set(secrets.names)].toSorted(),
  }
}

function requireFree(rules: readonly PreviewRuleRow[], rule: PreviewRuleRow): void {
  const twin = rules.find(
    (one) =>
      one.id !== rule.id &&
      one.pattern.toLowerCase() === rule.pattern.toLowerCase() &&
      isDeepStrictEqual(one.repositories, rule.repositories),
  )
  if (twin === undefined) return
  const detail = `There is a rule ${twin.pattern} for these repositories already. Change that one.`
  const errors = [{ pointer: '/pattern', code: 'already_exists' as const, detail }]
  throw new Problem('already_exists', detail, { errors })
}

async function requireParent(tx: Tx, orgId: string, { parentId }: PreviewRuleRow): Promise<void> {
  const parent = (await listEnvironmentRows(tx, orgId)).find(({ id }) => id === parentId)
  if (parent?.source === null) return
  const code = parent === undefined ? ('validation_failed' as const) : ('conflict' as const)
  const detail =
    parent === undefined
      ? 'There is no such environment. Choose another one.'
      : `${parent.name} is a preview, which ends with its pull request. Choose another environment.`
  throw new Problem(code, detail, { errors: [{ pointer: '/parentId', code, detail }] })
}

function record(
  tx: Tx,
  { orgId, author, request }: Caller,
  action: Extract<AuditAction, `preview_rule.${string}`>,
  { id, pattern, repositories, parentId, secrets, expiresDays, max }: PreviewRuleRow,
): void {
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    action,
    target: { type: 'preview_rule', id, name: pattern },
    detail: { repositories, parentId, secrets: secrets ?? 'all', expiresDays, max },
    request,
  })
}

function tooMany(): Problem {
  const detail = `An organization has at most ${limits.previewRulesPerOrganization} rules of previews. Delete one first.`
  return new Problem('quota_exceeded', detail)
}

function changed(): Problem {
  return new Problem('revision_mismatch', 'Somebody else has changed the rule. Read it again.')
}
