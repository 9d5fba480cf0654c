import { canonicalJson, Problem, sameValue, type SchemaDefinition } from '@signalbox/contract'
import type { Author } from '../../audit/audit-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { requireSame } from '../../http/input/read-only-fields.ts'
import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import { createCheckWork, reportStepsMax } from '../../config-model/constraints/check-work.ts'
import { wildcardId, requireReach, type Caller } from '../../config-model/caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import type { CurrentValuesByEnvironment } from '../../config-model/current-values.ts'
import {
  toPolicies,
  type Confirmation,
  type EnvironmentPolicies,
  type Requirement,
} from '../../config-model/confirmation.ts'
import { requireDefinition } from './create-schema.ts'
import {
  sameDefinition,
  toStoredDefinition,
  type Definition,
} from '../../config-model/definition.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { toTree, type EnvironmentTree } from '../../config-model/environment-tree.ts'
import { lockCurrentValues, lockStructure } from '../values/current-rows.ts'
import type { ParsedDefinition } from '../../config-model/parse-definition.ts'
import type { Publication } from '../../config-model/plan-publication.ts'
import { listNeeds } from '../../config-model/approvals.ts'
import { publish } from '../publication/publish-rows.ts'
import {
  findReturning,
  keepReturning,
  withForgotten,
  type ReturnChoices,
} from './find-returning.ts'
import { presentReport } from './present-report.ts'
import {
  breaksValues,
  reportEnvironments,
  type EnvironmentReport,
  type OpenOwnSecret,
} from './report-environments.ts'
import { findRevealed, retierValues } from './retier-values.ts'
import { findSchemaRow, updateSchemaRow, type SchemaRow } from './schema-rows.ts'
import { sealHistory } from '../versions/seal-history.ts'
import { openValue, valueAddress } from '../../config-model/sealed-secrets.ts'
import { keepUnsaid } from './keep-unsaid.ts'
import { refuseSharedVariables } from '../../config-model/refuse-shared-variables.ts'
import { findLostDefaults, keepStoredDefaults, losingDefaults } from './stored-defaults.ts'
import { listPlainValues, requirePlainDefaults } from './plain-defaults.ts'
import { recordSentValues, setSentValues, type SentValues } from './set-sent-values.ts'
import { sealDefaults, withoutSecrets, withSecrets, type ShownSchema } from './shown-schema.ts'
import { planRepublication, toSchemaState } from '../publication/structure.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'

/** Describes a new definition of a schema, and the consequences that the request accepts. */
export interface ReplaceSchema {
  readonly description: string | undefined
  readonly schema: SchemaDefinition
  /** Narrows the report to one environment; the check covers all. */
  readonly environmentId: string | undefined
  readonly dryRun: boolean
  /** Replaces the definition although stored values become invalid or orphaned. */
  readonly force: boolean
  /** Keys whose stored secrets may become public. */
  readonly exposeKeys: readonly string[]
  /** Says for each key whether stored values that the change would bring back are restored or forgotten. */
  readonly returning: ReturnChoices
  /** Changes of values that are stored together with the definition: both, or nothing. */
  readonly values: readonly SentValues[]
  /** Keys whose defaults and values may have the form of a credential. */
  readonly allowPlain: readonly string[]
  readonly confirmation: Confirmation
  readonly ifMatch: number | undefined
  /** The read-only fields of the schema that the request sent back. */
  readonly readOnly: { readonly id?: string | undefined; readonly name?: string | undefined }
}

/** Describes a schema after its replacement, with the report of its environments. */
export interface ReplacedSchema extends ShownSchema {
  readonly report: readonly EnvironmentReport[]
  /** The requirements of the changed environments, whether or not the request meets them. */
  readonly requires: readonly Requirement[]
}

/**
 * Replaces the definition of a schema, publishes what that changes, and reports what the values of every environment
 * lack. Values whose key becomes a secret are sealed, in the history too. The same definition again changes nothing. A
 * dry run stores nothing; it is refused with whatever the change is refused with, except a missing confirmation.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`, `breaking_change` with the report, `value_too_large`,
 * `confirmation_required`, `comment_required`; with a pointer to each violation the codes of definitions.
 */
export async function replaceSchema(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
  request: ReplaceSchema,
): Promise<ReplacedSchema> {
  const declared = await requireDefinition(request.schema)
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    await lockStructure(tx, orgId)
    const row = await findSchemaRow(tx, orgId, ref)
    requireReach(caller, 'writeSchemas', { schemaId: row?.id ?? ref, environmentId: wildcardId })
    if (row === undefined) throw notFound()
    requireSame(row, request.readOnly)
    requireVersion(row.revision, request.ifMatch)
    const sealer = await deps.keys.getSealer(tx, orgId)
    const environments = await listEnvironmentRows(tx, orgId)
    const tree = toTree(environments)
    if (request.environmentId !== undefined && !tree.has(request.environmentId)) throw notFound()
    const locked = await lockCurrentValues(tx, orgId, { schemaIds: [row.id], environmentIds: null })
    const currentValues = locked.get(row.id) ?? new Map<string, never>()
    const { author } = caller
    const input = {
      orgId,
      author,
      sealer,
      row,
      parsed: declared,
      tree,
      currentValues,
      now: deps.now(),
    }
    const change = await planChange(input, request)
    requireMeant(change, request)
    const { requires, store } = await prepareChange(deps, tx, caller, {
      ...change,
      confirmation: request.confirmation,
      policies: toPolicies(environments),
    })
    if (!request.dryRun) await store()
    const report = change.report.filter(
      ({ environmentId }) => environmentId === (request.environmentId ?? environmentId),
    )
    const shownSchema = caller.readsSecrets
      ? withSecrets(sealer, orgId, change.updated)
      : withoutSecrets(change.updated)
    return { ...shownSchema, report, requires }
  })
}

/** Refuses consequences that the request does not accept; throws {Problem} `breaking_change`. */
function requireMeant(change: Change, { force, returning }: ReplaceSchema): void {
  if (change.exposed.length > 0) throw exposingChange(change)
  const unmeant = change.returning.filter((key) => returning[key] === undefined)
  if (unmeant.length > 0) throw returningChange(unmeant, change)
  if (change.lostDefaults.length > 0) throw losingDefaults(change.lostDefaults, change.report)
  if (change.isBreaking && !force) throw breakingChange(change.report)
}

function breakingChange(report: readonly EnvironmentReport[]): Problem {
  const detail =
    'Stored values would become invalid: see the report. Correct them first, or repeat with "force": true.'
  return new Problem('breaking_change', detail, {
    extensions: { report: report.map(presentReport) },
  })
}

/** A value of an earlier time is a change of every environment that has it, which the request may not know of. */
function returningChange(keys: readonly string[], { report }: Change): Problem {
  const where = report.flatMap(({ environment, returning = [] }) =>
    returning.some(({ key }) => keys.includes(key)) ? [environment] : [],
  )
  const detail = `${keys.join(', ')}: values from an earlier time would come back in ${where.join(', ')}: see "returning" of the report. Say in "returning" for each key whether to "restore" or to "forget" them.`
  const errors = keys.map((key) => ({
    pointer: '/returning',
    code: 'breaking_change' as const,
    detail: `${key} has stored values from an earlier time. Name it here with "restore" or "forget".`,
  }))
  return new Problem('breaking_change', detail, {
    errors,
    extensions: { report: report.map(presentReport), returns: keys },
  })
}

/** Exposing a secret cannot be taken back, so the request has to name each key. */
function exposingChange({ exposed, report }: Change): Problem {
  const detail = `${exposed.join(', ')}: everybody could read the stored secrets. If you want that, name the key in "exposeKeys".`
  const errors = exposed.map((key) => ({
    pointer: '/exposeKeys',
    code: 'breaking_change' as const,
    detail: `${key} has secret values. Name it here to publish them.`,
  }))
  return new Problem('breaking_change', detail, {
    errors,
    extensions: { report: report.map(presentReport), exposes: exposed },
  })
}

interface ChangeInput {
  readonly orgId: string
  readonly author: Author
  readonly sealer: Sealer
  readonly row: SchemaRow
  readonly parsed: ParsedDefinition
  readonly tree: EnvironmentTree
  readonly currentValues: CurrentValuesByEnvironment
  readonly now: Date
}

interface Change extends ChangeInput {
  readonly updated: SchemaRow
  /** The values as the new definition demands, with those that the request sets. */
  readonly retiered: CurrentValuesByEnvironment
  readonly report: readonly EnvironmentReport[]
  /** Keys whose secrets would be published although `exposeKeys` does not name them. */
  readonly exposed: readonly string[]
  /** Keys whose secrets become public because `exposeKeys` names them. */
  readonly published: readonly string[]
  /** Keys whose secret default would be deleted although the request does not say so. */
  readonly lostDefaults: readonly string[]
  /** Keys whose stored values would come back, as far as the request does not forget them. */
  readonly returning: readonly string[]
  /** The values that the request sets and removes, with those that it forgets. */
  readonly values: readonly SentValues[]
  /** Keys whose new open defaults and values have the form of a credential, which the request allows. */
  readonly plain: readonly string[]
  readonly isBreaking: boolean
  readonly definitionChanged: boolean
}

async function planChange(
  input: ChangeInput,
  { description, exposeKeys, ...request }: ReplaceSchema,
): Promise<Change> {
  const work = createCheckWork({ stepsMax: reportStepsMax })
  const parsed = keepUnsaid(input.row, await keepStoredDefaults(input, input.parsed, work))
  refuseSharedVariables(parsed.definition)
  const { orgId, author, sealer, row, tree, currentValues, now } = input
  const before = toSchemaState(row)
  const { allowPlain } = request
  const plainDefaults = requirePlainDefaults(parsed.definition, {
    before: before.definition,
    allowPlain,
  })
  const { updated, definitionChanged } = planRow({ ...input, parsed }, description)
  const { definition } = parsed
  const context = { orgId, schemaId: row.id, definition, sealer, author, now }
  const tiered = retierValues(context, currentValues)
  const candidates = findReturning(
    { definition: before.definition, currentValues },
    { definition, currentValues: tiered },
    request.values,
  )
  const values = withForgotten(request.values, candidates, request.returning)
  const allowed = { ...context, allowPlain: new Set(allowPlain) }
  const retiered = await setSentValues(allowed, tiered, values)
  const returning = keepReturning(candidates, retiered)
  const openSecret = openerOf(input)
  const after = { schema: toSchemaState(updated), tree, currentValues: retiered }
  const reported = await reportEnvironments(after, openSecret, work)
  const exposed = findRevealed(definition, currentValues, new Set(exposeKeys))
  const isBreaking = await breaksValues(
    { schema: before, currentValues },
    reported,
    openSecret,
    work,
  )
  const report = reported
    .map((entry) => withExposed(entry, exposed.get(entry.environmentId) ?? []))
    .map((entry) => ({ ...entry, returning: returning.get(entry.environmentId) ?? [] }))
  return {
    ...input,
    parsed,
    updated,
    retiered,
    report,
    exposed: [...new Set([...exposed.values()].flat())],
    published: [
      ...new Set([...findRevealed(definition, currentValues, new Set()).values()].flat()),
    ],
    lostDefaults: findLostDefaults(row, parsed),
    returning: [...new Set([...returning.values()].flat().map(({ key }) => key))],
    values,
    plain: [...plainDefaults, ...listPlainValues(definition, values)],
    isBreaking,
    definitionChanged,
  }
}

/** Returns the row after the change, and whether its definition is another one. */
function planRow(
  input: ChangeInput,
  description: string | undefined,
): Pick<Change, 'updated' | 'definitionChanged'> {
  const { row, parsed, now } = input
  const before = toSchemaState(row)
  const secretDefaults = keepDefaults(input, before.secretDefaults)
  const definitionChanged =
    !sameDefinition(before.definition, parsed.definition) ||
    Object.keys(secretDefaults).some((key) => secretDefaults[key] !== row.secretDefaults[key])
  const isChanged = definitionChanged || (description ?? row.description) !== row.description
  const updated: SchemaRow = {
    ...row,
    description: description ?? row.description,
    revision: row.revision + (definitionChanged ? 1 : 0),
    definition: toStoredDefinition(parsed.definition),
    secretDefaults,
    updatedAt: isChanged ? now : row.updatedAt,
  }
  return { updated, definitionChanged }
}

/** Keeps the seal of a default that stays the same, so that pushing a schema again changes nothing. */
function keepDefaults(
  { orgId, sealer, row, parsed }: ChangeInput,
  stored: Readonly<Record<string, string>>,
): Record<string, string> {
  const fresh = sealDefaults(sealer, { orgId, schemaId: row.id }, parsed.secretDefaults)
  const known = withSecrets(sealer, orgId, row).secretDefaults
  for (const [key, value] of parsed.secretDefaults) {
    const seal = stored[key]
    if (seal !== undefined && sameValue(known.get(key), value)) fresh[key] = seal
  }
  return fresh
}

function openerOf({ orgId, sealer, row }: ChangeInput): OpenOwnSecret {
  return (environmentId, key, { sealed }) =>
    openValue(sealer, valueAddress({ orgId, schemaId: row.id, environmentId, key }), sealed)
}

function withExposed(report: EnvironmentReport, keys: readonly string[]): EnvironmentReport {
  const detail = 'The stored value is a secret and would become public.'
  return { ...report, invalid: [...report.invalid, ...keys.map((key) => ({ key, detail }))] }
}

interface ConfirmedChange extends Change {
  readonly confirmation: Confirmation
  readonly policies: EnvironmentPolicies
}

/** Compiles what the change publishes, which can still be refused, and returns the function that stores it. */
async function prepareChange(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  change: ConfirmedChange,
): Promise<{ readonly requires: readonly Requirement[]; readonly store: () => Promise<void> }> {
  const { row, updated, tree, currentValues, retiered, definitionChanged, confirmation } = change
  const rewritten = [...retiered.keys()].filter((id) => retiered.get(id) !== currentValues.get(id))
  const isSame = !definitionChanged && updated.description === row.description
  if (isSame && rewritten.length === 0) return { requires: [], store: () => Promise.resolve() }
  const written = new Set(change.values.map(({ environmentId }) => environmentId))
  const publication = await planRepublication(deps, tx, caller, {
    before: {
      schemas: [toSchemaState(row)],
      tree,
      currentValues: new Map([[row.id, currentValues]]),
    },
    after: {
      schemas: [toSchemaState(updated)],
      tree,
      currentValues: new Map([[row.id, retiered]]),
    },
    environmentIds: [...tree.keys()],
    comment: confirmation.comment,
    kinds: new Map(rewritten.map((id) => [id, written.has(id) ? 'write' : 'schema'])),
    otherwise: 'schema',
  })
  return {
    requires: listNeeds(change.policies, publication),
    store: () => storeChange(deps, tx, caller, { ...change, publication }),
  }
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
    confirmation,
    values,
    plain,
    definitionChanged,
  }: ConfirmedChange & { readonly publication: Publication },
): Promise<void> {
  const { orgId } = caller
  const isSame = !definitionChanged && updated.description === row.description
  const [before, after] = [toSchemaState(row), toSchemaState(updated)]
  await updateSchemaRow(tx, orgId, updated)
  await publish(deps, tx, orgId, { publication, policies, confirmation })
  const sealedNow = findSealedNow(before.definition, after.definition)
  await sealHistory(tx, sealer, { orgId, schemaId: row.id }, sealedNow)
  if (!isSame) {
    recordConfigEvent(tx, caller, {
      action: 'schema.changed',
      target: { type: 'config_schema', id: row.id, name: row.name },
      detail: {
        revision: updated.revision,
        keys: findChangedKeys(before.definition, after.definition),
        ...(published.length > 0 && { exposed: published }),
        ...(plain.length > 0 && { allowPlain: plain }),
        ...(updated.description === row.description ? {} : { fields: ['description'] }),
      },
    })
  }
  recordSentValues(tx, caller, { row, publication, values, plain })
}

/**
 * Returns the keys that have become secret, and those that are new as secrets: an open value may be left from an
 * earlier time.
 */
function findSealedNow(before: Definition, after: Definition): string[] {
  return [...after]
    .filter(([key, { tier }]) => tier === 'secret' && before.get(key)?.tier !== 'secret')
    .map(([key]) => key)
}

function findChangedKeys(before: Definition, after: Definition): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => {
    const [one, other] = [before.get(key) ?? null, after.get(key) ?? null]
    return canonicalJson(one) !== canonicalJson(other)
  })
}
