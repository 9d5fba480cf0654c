import type { Api } from '../api/api.ts'
import type {
  Answer,
  ConfigReport,
  ConfigSchema,
  Environment,
  Organization,
} from '../api/operations.ts'
import type { Definition } from '../definition/definition.ts'
import { breakingReason } from '../schema/breaking-changes.ts'
import {
  type DefinitionChange,
  diffDefinitions,
  type FullKey,
  isNoticed,
} from '../schema/definition-change.ts'
import { fromPresentedKey, toWireKey } from '../schema/full-key.ts'
import type { Confirmation } from '../changes/confirmation.ts'
import {
  breakingChange,
  brokenLines,
  exposingChange,
  findBreakReport,
  findExposed,
  findReturns,
  returningChange,
} from './breaking-change.ts'

/** Describes the definition to push, and its target. */
export interface PushRequest {
  readonly api: Api
  readonly organization: Organization
  readonly environment: Environment
  readonly definition: Definition
  readonly schemaName: string
  readonly prune: boolean
  /** Lists the secrets that should become public. */
  readonly expose: readonly string[]
  /** Lists the keys whose defaults may have the form of a credential. */
  readonly allowPlain: readonly string[]
  /** Says for keys that are declared again what becomes of their stored values. */
  readonly returning: Readonly<Record<string, 'restore' | 'forget'>>
}

/** Describes the changes of a push. */
export interface PushPlan extends PushRequest {
  /** Holds the schema on the server. */
  readonly remote: ConfigSchema | undefined
  readonly changes: readonly DefinitionChange[]
  /** Lists the changes that are carried out: without `--prune`, no removals. */
  readonly effective: readonly DefinitionChange[]
  /** Holds the definition to send. */
  readonly sentKeys: ReadonlyMap<string, FullKey>
  /** Holds the missing and invalid values of each environment. */
  readonly report: ConfigReport
  /** Lists the changes that need `--allow-breaking`, one line each. */
  readonly blocking: readonly string[]
  /** Lists the secrets that would become public unintentionally. */
  readonly exposes: readonly string[]
  /** Lists the keys whose stored values would come back unintentionally. */
  readonly returns: readonly string[]
  /** Lists what the server says that the push needs, by environment. */
  readonly requires: readonly unknown[]
  /** Lists the production environments in which a key changes or is removed: all of them, because they share the schema. */
  readonly reached: readonly Environment[]
}

/** Plans a push without changing anything. */
export async function planPush(request: PushRequest): Promise<PushPlan> {
  const { api, organization, definition, schemaName, prune } = request
  const [remote, environments] = await Promise.all([
    api.findSchema(organization.id, schemaName),
    api.environments(organization.id),
  ])
  const before = new Map(
    Object.entries(remote?.schema ?? {}).map(([key, presented]) => [
      key,
      fromPresentedKey(presented),
    ]),
  )
  const changes = diffDefinitions(before, definition.keys)
  const effective = changes.filter(({ kind }) => prune || kind !== 'removed')
  const sentKeys = new Map<string, FullKey>(definition.keys)
  if (!prune) {
    for (const change of changes) {
      if (change.kind === 'removed') sentKeys.set(change.key, change.before)
    }
  }
  const plan = {
    ...request,
    remote,
    changes,
    effective,
    sentKeys,
    reached: effective.some((change) => change.kind !== 'added' && isNoticed(change))
      ? environments.filter(({ production }) => production)
      : [],
  }
  const { broken, ...predicted } = await predict(plan)
  const returned = new Set(
    predicted.report.flatMap(({ environmentId, returning = [] }) =>
      returning.length > 0 ? [environmentId] : [],
    ),
  )
  // A value that comes back is a change of its environment.
  const reached = environments.filter(
    (one) => plan.reached.includes(one) || (one.production && returned.has(one.id)),
  )
  return { ...plan, ...predicted, reached, blocking: [...broken, ...readerLines(plan)] }
}

type Draft = Omit<PushPlan, 'report' | 'blocking' | 'exposes' | 'requires' | 'returns'>

interface Prediction {
  readonly report: ConfigReport
  /** Lists the stored values that would break, one line each. */
  readonly broken: readonly string[]
  readonly exposes: readonly string[]
  readonly returns: readonly string[]
  readonly requires: readonly unknown[]
}

/** Returns the missing values of every environment, even when the push would be refused for them. */
export async function reportEveryEnvironment(plan: PushPlan): Promise<ConfigReport> {
  const { api, organization, remote, definition } = plan
  if (remote !== undefined) {
    try {
      return (await replaceSchema(plan, remote, { dryRun: true })).report
    } catch (error) {
      const report = findBreakReport(error)
      if (report === undefined) throw error
      return report
    }
  }
  const missing = [...definition.keys].filter(([, key]) => key.required && !key.hasDefault)
  return (await api.environments(organization.id)).map(({ id, name }) => ({
    environment: name,
    environmentId: id,
    missing: missing.map(([key]) => key),
    invalid: [],
    orphaned: [],
  }))
}

async function predict(plan: Draft): Promise<Prediction> {
  const { remote, effective, environment, definition } = plan
  if (remote !== undefined) {
    return effective.length === 0
      ? { report: [], broken: [], exposes: [], returns: [], requires: [] }
      : tryPush(plan, remote)
  }
  const missing = [...definition.keys].filter(([, key]) => key.required && !key.hasDefault)
  const entry = {
    environment: environment.name,
    environmentId: environment.id,
    missing: missing.map(([key]) => key),
    invalid: [],
    orphaned: [],
  }
  return { report: [entry], broken: [], exposes: [], returns: [], requires: [] }
}

async function tryPush(plan: Draft, remote: ConfigSchema): Promise<Prediction> {
  try {
    const { report, requires } = await replaceSchema(plan, remote, { dryRun: true })
    return { report, requires, broken: [], exposes: [], returns: [] }
  } catch (error) {
    const report = findBreakReport(error)
    if (report === undefined) throw error
    const exposes = findExposed(error)
    const returns = findReturns(error)
    const isNamed = exposes.length > 0 || returns.length > 0
    return { report, broken: isNamed ? [] : brokenLines(report), exposes, returns, requires: [] }
  }
}

function replaceSchema(
  { api, organization, sentKeys, expose, allowPlain, returning }: Draft,
  remote: ConfigSchema,
  how: { readonly dryRun?: true; readonly force?: true } & Confirmation,
): Promise<Answer<'replaceConfigSchema'>> {
  return api.call('replaceConfigSchema', {
    params: { org_id: organization.id, schema_id: remote.id },
    body: {
      schema: toWire(sentKeys),
      ...(expose.length > 0 && { exposeKeys: [...expose] }),
      ...(allowPlain.length > 0 && { allowPlain: [...allowPlain] }),
      ...(Object.keys(returning).length > 0 && { returning }),
      ...how,
    },
    ifMatch: remote.revision,
  })
}

function toWire(keys: ReadonlyMap<string, FullKey>) {
  return Object.fromEntries([...keys].map(([key, full]) => [key, toWireKey(full)]))
}

/**
 * Lists the changes that may break programs that read a key. A required key without a value counts only in
 * production; elsewhere a key may appear before its value.
 */
function readerLines({ effective, remote, environment, reached }: Draft): string[] {
  if (remote === undefined) return []
  return effective.flatMap((change) => {
    const matters = change.kind === 'added' ? environment.production : reached.length > 0
    const reason = matters ? breakingReason(change) : undefined
    return reason === undefined ? [] : [`${change.key} ${reason}`]
  })
}

/**
 * Carries out a plan. It sends the plan's revision, so a change in between is refused.
 *
 * @throws {CliError} `breaking_change` when values were stored meanwhile that would break
 */
export async function applyPush(
  plan: PushPlan,
  {
    allowBreaking,
    confirmation,
  }: { readonly allowBreaking: boolean; readonly confirmation: Confirmation },
): Promise<ConfigSchema> {
  const { api, organization, remote, schemaName, sentKeys, allowPlain } = plan
  if (remote === undefined) {
    return api.call('createConfigSchema', {
      params: { org_id: organization.id },
      body: {
        name: schemaName,
        schema: toWire(sentKeys),
        ...(allowPlain.length > 0 && { allowPlain: [...allowPlain] }),
      },
    })
  }
  try {
    return await replaceSchema(plan, remote, {
      ...(allowBreaking && { force: true }),
      ...confirmation,
    })
  } catch (error) {
    const exposes = findExposed(error)
    if (exposes.length > 0) throw exposingChange(exposes)
    const returns = findReturns(error)
    if (returns.length > 0) throw returningChange(returns, findBreakReport(error) ?? [])
    const report = findBreakReport(error)
    throw report === undefined ? error : breakingChange(brokenLines(report))
  }
}
