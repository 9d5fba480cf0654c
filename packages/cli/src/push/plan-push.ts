import type { Api } from '../api/api.ts'
import type { ConfigReport, ConfigSchema, Environment, Organization } from '../api/operations.ts'
import { ApiRefusal } from '../api/problem-error.ts'
import type { Definition } from '../definition/definition.ts'
import { isRecord } from '../project/json.ts'
import { breakingReason } from '../schema/breaking-changes.ts'
import {
  type DefinitionChange,
  diffDefinitions,
  type FullKey,
} from '../schema/definition-change.ts'
import { fromShownKey, toWireKey } from '../schema/full-key.ts'
import { CliError } from '../terminal/cli-error.ts'

export interface PushRequest {
  readonly api: Api
  readonly organization: Organization
  readonly environment: Environment
  readonly definition: Definition
  readonly schemaName: string
  readonly prune: boolean
}

export interface PushPlan extends PushRequest {
  /** The schema as it is on the server. */
  readonly remote: ConfigSchema | undefined
  readonly changes: readonly DefinitionChange[]
  /** The changes that are carried out: without `--prune`, removals are not. */
  readonly effective: readonly DefinitionChange[]
  /** The definition that is sent. */
  readonly wanted: ReadonlyMap<string, FullKey>
  /** What stored values of each environment would lack. */
  readonly report: ConfigReport
  /** What needs `--allow-breaking`, one line each. */
  readonly blocking: readonly string[]
  /** Names of the production environments. */
  readonly production: readonly string[]
}

/** Names that mark an environment where a key may appear before its values do. */
const developmentName = /^(dev|development|local|test)([-_.].*)?$/i

/** Finds out what a push would do. Changes nothing. */
export async function planPush(request: PushRequest): Promise<PushPlan> {
  const { api, organization, environment, definition, schemaName, prune } = request
  const [remote, environments] = await Promise.all([
    api.findSchema(organization.id, schemaName),
    api.environments(organization.id),
  ])
  const before = new Map(
    Object.entries(remote?.schema ?? {}).map(([key, shown]) => [key, fromShownKey(shown)]),
  )
  const changes = diffDefinitions(before, definition.keys)
  const effective = changes.filter(({ kind }) => prune || kind !== 'removed')
  const wanted = new Map<string, FullKey>(definition.keys)
  if (!prune) {
    for (const change of changes) {
      if (change.kind === 'removed') wanted.set(change.key, keepable(change.key, change.before))
    }
  }
  const plan = {
    ...request,
    remote,
    changes,
    effective,
    wanted,
    production: environments.filter((each) => each.production).map(({ name }) => name),
  }
  const { report, breaks } = await foresee(plan)
  return { ...plan, report, blocking: blockingLines(plan, report, breaks, environment) }
}

/** A key that stays must be sent with its default, so a default that is not shown cannot be kept. */
function keepable(key: string, before: FullKey): FullKey {
  if (!before.hasDefault || before.default !== undefined) return before
  throw new CliError(
    'authentication',
    'default_hidden',
    `${key} is on the server and not in the definition, and has a secret default that this token may not read; pushing would lose it.`,
    { hint: 'Use a server key, declare the key, or remove it with --prune.' },
  )
}

type Draft = Omit<PushPlan, 'report' | 'blocking'>

interface Foresight {
  readonly report: ConfigReport
  /** Whether stored values would break. */
  readonly breaks: boolean
}

async function foresee(plan: Draft): Promise<Foresight> {
  const { remote, effective, environment, definition } = plan
  if (remote !== undefined) {
    return effective.length === 0 ? { report: [], breaks: false } : tryPush(plan, remote)
  }
  const missing = [...definition.keys].filter(([, key]) => key.required && !key.hasDefault)
  const entry = {
    environment: environment.name,
    environmentId: environment.id,
    missing: missing.map(([key]) => key),
    invalid: [],
    orphaned: [],
  }
  return { report: [entry], breaks: false }
}

async function tryPush(plan: Draft, remote: ConfigSchema): Promise<Foresight> {
  try {
    const { report } = await replaceSchema(plan, remote, { dryRun: true })
    return { report, breaks: report.some(({ invalid }) => invalid.length > 0) }
  } catch (error) {
    if (error instanceof ApiRefusal && error.code === 'breaking_change') {
      return { report: parseReport(error.problem.report), breaks: true }
    }
    throw error
  }
}

function replaceSchema(
  { api, organization, environment, wanted }: Draft,
  remote: ConfigSchema,
  how: { readonly dryRun?: true; readonly force?: true },
): Promise<ConfigSchema & { report: ConfigReport }> {
  return api.call('replaceConfigSchema', {
    params: { org_id: organization.id, schema_id: remote.id },
    body: { schema: toWire(wanted), environmentId: environment.id, ...how },
    ifMatch: remote.revision,
  })
}

function toWire(wanted: ReadonlyMap<string, FullKey>) {
  return Object.fromEntries([...wanted].map(([key, full]) => [key, toWireKey(full)]))
}

/**
 * In a development environment only what breaks stored values counts; elsewhere also what may break
 * programs that read the key.
 */
function blockingLines(
  { effective, remote }: Draft,
  report: ConfigReport,
  breaks: boolean,
  environment: Environment,
): string[] {
  if (remote === undefined) return []
  const stored = breaks
    ? report.flatMap(({ environment: name, invalid, orphaned }) => [
        ...invalid.map(({ key, detail }) => `${name}: ${key} ${detail}`),
        ...orphaned.map((key) => `${name}: the value of ${key} would be lost`),
      ])
    : []
  if (breaks && stored.length === 0) stored.push('the server finds stored values that would break')
  const development = !environment.production && developmentName.test(environment.name)
  if (development) return stored
  const readers = effective.flatMap((change) => {
    const reason = breakingReason(change)
    return reason === undefined ? [] : [`${change.key} ${reason}`]
  })
  return [...stored, ...readers]
}

/** Carries a plan out. The revision it was made from goes along, so a change in between is refused. */
export async function applyPush(plan: PushPlan, allowBreaking: boolean): Promise<ConfigSchema> {
  const { api, organization, remote, schemaName, wanted } = plan
  if (remote !== undefined) {
    return replaceSchema(plan, remote, allowBreaking ? { force: true } : {})
  }
  return api.call('createConfigSchema', {
    params: { org_id: organization.id },
    body: { name: schemaName, schema: toWire(wanted) },
  })
}

/** The report inside a problem document, which is only as well-formed as the server made it. */
function parseReport(report: unknown): ConfigReport {
  return (Array.isArray(report) ? report : []).filter(isRecord).map((entry) => ({
    environment: String(entry['environment']),
    environmentId: String(entry['environmentId']),
    missing: texts(entry['missing']),
    invalid: (Array.isArray(entry['invalid']) ? entry['invalid'] : [])
      .filter(isRecord)
      .map(({ key, detail }) => ({ key: String(key), detail: String(detail) })),
    orphaned: texts(entry['orphaned']),
  }))
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).map(String)
}
