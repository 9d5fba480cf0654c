import { Problem, type SchemaDefinition } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import { createCheckWork, reportStepsMax } from '../constraints/check-work.ts'
import { everyone, requireReach, type Caller } from '../caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import type { ConfigHeads } from '../values/config-head.ts'
import { toPolicies, type Consent, type EnvironmentPolicies } from '../environments/consent.ts'
import { requireDefinition } from './create-schema.ts'
import { canonicalText, sameDefinition, toStoredDefinition, type Definition } from './definition.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { toTree, type EnvironmentTree } from '../environments/environment-tree.ts'
import { lockHeads, lockStructure } from '../values/head-rows.ts'
import type { ParsedDefinition } from './parse-definition.ts'
import type { Publication } from '../publication/plan-publication.ts'
import { publish } from '../publication/publish-rows.ts'
import {
  breaksValues,
  reportEnvironments,
  type EnvironmentReport,
  type OpenOwnSecret,
} from './report-environments.ts'
import { findRevealed, retierHeads } from './retier-values.ts'
import { findSchemaRow, updateSchemaRow, type SchemaRow } from './schema-rows.ts'
import { sealHistory } from '../versions/seal-history.ts'
import { openValue, valueAddress } from '../values/sealed-secrets.ts'
import { sealDefaults, withoutSecrets, withSecrets, type ShownSchema } from './shown-schema.ts'
import { planRepublication, toSchemaState } from '../publication/structure.ts'
import { requireVersion } from '../refuse.ts'

export interface ReplaceSchema {
  readonly description: string | undefined
  readonly schema: SchemaDefinition
  /** Narrows the report, not the check. */
  readonly environmentId: string | undefined
  readonly dryRun: boolean
  /** Goes on although stored values break. */
  readonly force: boolean
  /** Secrets that become public, with the values that are stored of them. */
  readonly exposeKeys: readonly string[]
  readonly consent: Consent
  readonly ifMatch: number | undefined
}

export interface ReplacedSchema extends ShownSchema {
  readonly report: readonly EnvironmentReport[]
}

/**
 * Replaces the definition of a schema, publishes what that changes, and reports what the values of every environment
 * lack. Values whose key becomes a secret are sealed, in the history too. The same definition again changes nothing.
 * A dry run is refused with whatever the change would be refused with, and stores nothing.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`, `breaking_change` with the report, `value_too_large`,
 * `confirmation_required`, `comment_required`; with a place for each fault the codes of definitions.
 */
export async function replaceSchema(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
  request: ReplaceSchema,
): Promise<ReplacedSchema> {
  const parsed = await requireDefinition(request.schema)
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    await lockStructure(tx, orgId)
    const row = await findSchemaRow(tx, orgId, ref)
    requireReach(caller, { schemaId: row?.id ?? ref, environmentId: everyone })
    if (row === undefined) throw notFound()
    requireVersion(row.revision, request.ifMatch)
    const sealer = await deps.keys.getSealer(tx, orgId)
    const environments = await listEnvironmentRows(tx, orgId)
    const tree = toTree(environments)
    if (request.environmentId !== undefined && !tree.has(request.environmentId)) throw notFound()
    const locked = await lockHeads(tx, orgId, { schemaIds: [row.id], environmentIds: null })
    const heads = locked.get(row.id) ?? new Map<string, never>()
    const found = { orgId, sealer, row, parsed, tree, heads, now: deps.now() }
    const change = await planChange(found, request)
    if (change.exposed.length > 0) throw exposingChange(change)
    if (change.isBreaking && !request.force) throw breakingChange(change.report)
    const store = await prepareChange(deps, tx, caller, {
      ...change,
      consent: request.consent,
      policies: toPolicies(environments),
    })
    if (!request.dryRun) await store()
    const report = change.report.filter(
      ({ environmentId }) => environmentId === (request.environmentId ?? environmentId),
    )
    const shown = caller.readsSecrets
      ? withSecrets(sealer, orgId, change.updated)
      : withoutSecrets(change.updated)
    return { ...shown, report }
  })
}

function breakingChange(report: readonly EnvironmentReport[]): Problem {
  const detail =
    'Stored values break: see the report. Correct them first, or repeat with "force": true.'
  return new Problem('breaking_change', detail, { extensions: { report } })
}

/** Asked for key by key, because it cannot be taken back. */
function exposingChange({ exposed, report }: Change): Problem {
  const detail = `${exposed.join(', ')}: everybody could read what is stored as a secret. Name the key in "exposeKeys" when that is meant.`
  const place = { pointer: '/exposeKeys', code: 'breaking_change' } as const
  const errors = exposed.map((key) => ({
    ...place,
    detail: `${key} has values that are secret. Name it here to publish them.`,
  }))
  return new Problem('breaking_change', detail, {
    errors,
    extensions: { report, exposes: exposed },
  })
}

interface Found {
  readonly orgId: string
  readonly sealer: Sealer
  readonly row: SchemaRow
  readonly parsed: ParsedDefinition
  readonly tree: EnvironmentTree
  readonly heads: ConfigHeads
  readonly now: Date
}

interface Change extends Found {
  readonly updated: SchemaRow
  readonly retiered: ConfigHeads
  readonly report: readonly EnvironmentReport[]
  /** Keys whose secrets would be published without being named. */
  readonly exposed: readonly string[]
  /** Keys whose secrets become public, as they were named to be. */
  readonly published: readonly string[]
  readonly isBreaking: boolean
  readonly definitionChanged: boolean
}

async function planChange(
  found: Found,
  { description, exposeKeys }: ReplaceSchema,
): Promise<Change> {
  const { orgId, sealer, row, parsed, tree, heads, now } = found
  const before = toSchemaState(row)
  const secretDefaults = keepDefaults(found, before.secretDefaults)
  const definitionChanged =
    !sameDefinition(before.definition, parsed.definition) ||
    Object.keys(secretDefaults).some((key) => secretDefaults[key] !== row.secretDefaults[key])
  const updated: SchemaRow = {
    ...row,
    description: description ?? row.description,
    revision: row.revision + (definitionChanged ? 1 : 0),
    definition: toStoredDefinition(parsed.definition),
    secretDefaults,
    updatedAt: now,
  }
  const { definition } = parsed
  const retiered = retierHeads({ orgId, schemaId: row.id, definition, sealer }, heads)
  const openSecret = openerOf(found)
  const after = { schema: toSchemaState(updated), tree, heads: retiered }
  const work = createCheckWork({ stepsMax: reportStepsMax })
  const plain = await reportEnvironments(after, openSecret, work)
  const exposed = findRevealed(definition, heads, new Set(exposeKeys))
  const isBreaking = await breaksValues({ schema: before, heads }, plain, openSecret, work)
  const report = plain.map((entry) => withExposed(entry, exposed.get(entry.environmentId) ?? []))
  return {
    ...found,
    updated,
    retiered,
    report,
    exposed: [...new Set([...exposed.values()].flat())],
    published: [...new Set([...findRevealed(definition, heads, new Set()).values()].flat())],
    isBreaking,
    definitionChanged,
  }
}

/** A default that stays the same keeps its seal, so that pushing a schema again changes nothing. */
function keepDefaults(
  { orgId, sealer, row, parsed }: Found,
  stored: Readonly<Record<string, string>>,
): Record<string, string> {
  const fresh = sealDefaults(sealer, { orgId, schemaId: row.id }, parsed.secretDefaults)
  const known = withSecrets(sealer, orgId, row).secretDefaults
  for (const [key, value] of parsed.secretDefaults) {
    const seal = stored[key]
    if (seal !== undefined && known.get(key) === value) fresh[key] = seal
  }
  return fresh
}

function openerOf({ orgId, sealer, row }: Found): OpenOwnSecret {
  return (environmentId, key, { sealed }) =>
    openValue(sealer, valueAddress({ orgId, schemaId: row.id, environmentId, key }), sealed)
}

function withExposed(report: EnvironmentReport, keys: readonly string[]): EnvironmentReport {
  const detail = 'The stored value is a secret and would be published.'
  return { ...report, invalid: [...report.invalid, ...keys.map((key) => ({ key, detail }))] }
}

interface ConsentedChange extends Change {
  readonly consent: Consent
  readonly policies: EnvironmentPolicies
}

/** Compiles what the change publishes, which can still be refused, and gives what stores it. */
async function prepareChange(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  change: ConsentedChange,
): Promise<() => Promise<void>> {
  const { row, updated, tree, heads, retiered, definitionChanged, consent } = change
  if (!definitionChanged && updated.description === row.description) return () => Promise.resolve()
  const rewritten = [...retiered.keys()].filter((id) => retiered.get(id) !== heads.get(id))
  const publication = await planRepublication(deps, tx, caller, {
    before: { schemas: [toSchemaState(row)], tree, heads: new Map([[row.id, heads]]) },
    after: { schemas: [toSchemaState(updated)], tree, heads: new Map([[row.id, retiered]]) },
    environmentIds: [...tree.keys()],
    comment: consent.comment,
    kinds: new Map(rewritten.map((id) => [id, 'schema'])),
    otherwise: 'schema',
  })
  return () => storeChange(deps, tx, caller, { ...change, publication })
}

async function storeChange(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  {
    sealer,
    row,
    updated,
    published,
    publication,
    policies,
    consent,
  }: ConsentedChange & { readonly publication: Publication },
): Promise<void> {
  const { orgId } = caller
  const [before, after] = [toSchemaState(row), toSchemaState(updated)]
  await updateSchemaRow(tx, orgId, updated)
  await publish(deps, tx, orgId, { publication, policies, consent })
  const sealedNow = findSealedNow(before.definition, after.definition)
  await sealHistory(tx, sealer, { orgId, schemaId: row.id }, sealedNow)
  recordConfigEvent(tx, caller, {
    action: 'schema.changed',
    target: { type: 'config_schema', id: row.id, name: row.name },
    detail: {
      revision: updated.revision,
      keys: findChangedKeys(before.definition, after.definition),
      ...(published.length > 0 && { exposed: published }),
      ...(updated.description === row.description ? {} : { fields: ['description'] }),
    },
  })
}

/** Keys that are secret and were not, or were not there: an open value may be left from an earlier time. */
function findSealedNow(before: Definition, after: Definition): string[] {
  return [...after]
    .filter(([key, { tier }]) => tier === 'secret' && before.get(key)?.tier !== 'secret')
    .map(([key]) => key)
}

function findChangedKeys(before: Definition, after: Definition): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => {
    const [one, other] = [before.get(key) ?? null, after.get(key) ?? null]
    return canonicalText(one) !== canonicalText(other)
  })
}
