import { limits } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { changedEnvironments } from '../../config-model/approvals.ts'
import {
  isWatched,
  type Confirmation,
  type EnvironmentPolicies,
} from '../../config-model/confirmation.ts'
import type { Effect } from '../../config-model/effects.ts'
import { requireProtection } from '../../config-model/approval-check.ts'
import { beginProofs } from '../proofs/begin-proofs.ts'
import { renderOpenValues, renderSecretValues } from '../../config-model/stored-entries.ts'
import type {
  BrowserRecord,
  CurrentValuesRecord,
  Publication,
  ServerRecord,
  VersionRecord,
} from '../../config-model/plan-publication.ts'

/** Describes a publication that is stored, and what the request brings along for it. */
export interface Publish {
  readonly publication: Publication
  readonly policies: EnvironmentPolicies
  /** The confirmation of the request, for protected environments. */
  readonly confirmation: Confirmation
  /** Environments that the request changes without publishing anything in them. */
  readonly alsoChanged?: readonly string[]
  /** Says what the request changes beside what it publishes. */
  readonly alsoEffects?: readonly Effect[]
  /** Left out: read from the database when it matters. */
  readonly isChatConnected?: boolean
}

/**
 * Stores a publication, and emits the versions that it wrote in production while a chat is connected. Every change of
 * what clients read comes through here, so here the confirmation and the approvals of protected environments are required.
 *
 * @throws {Problem} `confirmation_required`, `comment_required`, `approval_required`, `quota_exceeded`
 */
export async function publish(
  deps: Pick<ConfigDeps, 'approvalCheck' | 'emit' | 'isChatConnected' | 'quota'>,
  tx: Tx,
  orgId: string,
  { publication, policies, confirmation, isChatConnected, ...also }: Publish,
): Promise<void> {
  requireProtection(deps, {
    policies,
    environmentIds: [...(also.alsoChanged ?? []), ...changedEnvironments(publication)],
    confirmation,
    effects: [...(also.alsoEffects ?? []), ...publication.effects],
    versions: publication.versions,
  })
  await deps.quota.require(tx, orgId, publication)
  storePublication(tx, orgId, publication)
  storeReferences(tx, orgId, publication)
  prune(tx, orgId, publication)
  if (isWatched(policies, publication.versions, confirmation))
    await beginProofs(deps, tx, orgId, { publication, policies, confirmation })
  const watched = publication.versions.filter(
    ({ environmentId }) => policies.get(environmentId)?.production,
  )
  if (watched.length === 0) return
  if (!(isChatConnected ?? (await deps.isChatConnected(tx, orgId)))) return
  for (const { id } of watched) await deps.emit(tx, 'configuration.changed', { orgId, id })
}

/** Every tenth write deletes old versions, ten at once: finding them costs more than deleting them. */
const pruneEvery = 10

/**
 * Carries the versions of flags on from the snapshot before. Where that has none, because a release that knows none has
 * published it, each flag has changed in the environment's last version at the latest.
 *
 * Writes each row of the columns `$2` and so on by its index: `unnest` of 40 arrays takes a tenth of the whole write.
 * https://www.postgresql.org/docs/current/functions-srf.html#FUNCTIONS-SRF-SUBSCRIPTS
 */
const storeSql = `
with heads as (
  update current_values h
  set version = n.version, browser_version = n.browser_version,
    open_values = coalesce(n.open_values, h.open_values), secret_values = coalesce(n.secret_values, h.secret_values)
  from (
    select ($2::text[])[i] as schema_id, ($3::text[])[i] as environment_id, ($4::integer[])[i] as version,
      ($5::integer[])[i] as browser_version, ($6::json[])[i] as open_values, ($7::json[])[i] as secret_values
    from generate_subscripts($2::text[], 1) i
  ) n
  where h.org_id = $1 and h.schema_id = n.schema_id and h.environment_id = n.environment_id
), versions as (
  insert into config_versions (org_id, schema_id, environment_id, version, id, kind, author, comment, created_at,
    changes, changed_keys, open_values, flag_rules, secret_values)
  select $1, ($8::text[])[i], ($9::text[])[i], ($10::integer[])[i], ($11::text[])[i], ($12::text[])[i],
    ($13::json[])[i], ($14::text[])[i], ($15::timestamptz[])[i], ($16::json[])[i],
    array(select c ->> 'key' from json_array_elements(($16::json[])[i]) c), ($17::json[])[i], ($18::json[])[i],
    ($19::json[])[i]
  from generate_subscripts($8::text[], 1) i
), browsers as (
  insert into browser_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag, body,
    flag_sources, flag_rules, signature, signed_by, flag_versions)
  select $1, ($20::text[])[i], ($21::text[])[i], ($22::integer[])[i], ($23::text[])[i], ($24::text[])[i],
    ($25::text[])[i], ($26::text[])[i], ($27::json[])[i], ($28::json[])[i], ($37::text[])[i], ($38::integer[])[i],
    jsonb_strip_nulls(coalesce(
      (select nullif(b.flag_versions, '{}') from browser_snapshots b where b.org_id = $1
        and b.schema_id = ($20::text[])[i] and b.environment_id = ($21::text[])[i] order by b.version desc limit 1),
      (select jsonb_object_agg(flag, h.version) from current_values h, json_object_keys(($27::json[])[i]) flag
        where h.org_id = $1 and h.schema_id = ($20::text[])[i] and h.environment_id = ($21::text[])[i]),
      '{}') || ($41::jsonb[])[i])
  from generate_subscripts($20::text[], 1) i
)
insert into server_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag, body,
  sealed_secrets, sealed_signature, signed_by)
select $1, ($29::text[])[i], ($30::text[])[i], ($31::integer[])[i], ($32::text[])[i], ($33::text[])[i],
  ($34::text[])[i], ($35::text[])[i], ($36::bytea[])[i], ($39::bytea[])[i], ($40::integer[])[i]
from generate_subscripts($29::text[], 1) i`

/** Sent only when a row may be outdated: three deletes of nothing take as long as an insert. */
const pruneSql = `
with outdated as (
  select * from unnest($2::text[], $3::text[], $4::integer[], $5::integer[], $6::integer[])
    as n (schema_id, environment_id, version, server_version, browser_version)
), versions as (
  delete from config_versions v using outdated o
  where v.org_id = $1 and v.schema_id = o.schema_id and v.environment_id = o.environment_id and v.version <= o.version
), servers as (
  delete from server_snapshots s using outdated o
  where s.org_id = $1 and s.schema_id = o.schema_id and s.environment_id = o.environment_id
    and s.version <= o.server_version
)
delete from browser_snapshots s using outdated o
where s.org_id = $1 and s.schema_id = o.schema_id and s.environment_id = o.environment_id
  and s.version <= o.browser_version`

/**
 * Stores a publication in one statement, however many environments it reaches. This transaction must hold the locks of
 * their rows.
 */
function storePublication(tx: Tx, orgId: string, publication: Publication): void {
  const { currentValues, versions, browsers, servers } = publication
  if (currentValues.length === 0) return
  tx.send({
    name: 'store-publication',
    text: storeSql,
    values: [
      orgId,
      ...currentColumns(currentValues),
      ...versionColumns(versions),
      ...snapshotColumns(browsers),
      browsers.map(({ flagSources }) => JSON.stringify(flagSources)),
      browsers.map(({ flagRules }) => JSON.stringify(flagRules)),
      ...snapshotColumns(servers),
      servers.map(({ sealedSecrets }) => sealedSecrets),
      browsers.map(({ signature }) => signature),
      browsers.map(({ signedBy }) => signedBy),
      servers.map(({ sealedSignature }) => sealedSignature),
      servers.map(({ signedBy }) => signedBy),
      browsers.map(({ changedFlags }) => JSON.stringify(changedFlags)),
    ],
  })
}

const referencesSql = `
with places as (
  select * from unnest($2::text[], $3::text[]) as p (schema_id, environment_id)
), uses as (
  select * from unnest($4::text[], $5::text[], $6::text[], $7::text[]) as u (schema_id, environment_id, segment, flag)
), gone as (
  delete from segment_uses s using places p
  where s.org_id = $1 and s.schema_id = p.schema_id and s.environment_id = p.environment_id
    and not exists (select from uses u where u.schema_id = s.schema_id and u.environment_id = s.environment_id
      and u.segment = s.segment and u.flag = s.flag)
)
insert into segment_uses (org_id, schema_id, environment_id, segment, flag)
select $1, schema_id, environment_id, segment, flag from uses on conflict do nothing`

/** Stores which segments the written environments refer to. Sends nothing for those that never did. */
function storeReferences(tx: Tx, orgId: string, { currentValues }: Publication): void {
  const targets = currentValues.flatMap(({ schemaId, environmentId, references }) =>
    references === undefined ? [] : [{ schemaId, environmentId, references }],
  )
  if (targets.length === 0) return
  const uses = targets.flatMap(({ references, ...target }) =>
    references.map((reference) => ({ ...target, ...reference })),
  )
  tx.send({
    name: 'store-segment-uses',
    text: referencesSql,
    values: [
      orgId,
      ...keyColumns(targets),
      ...keyColumns(uses),
      uses.map(({ segment }) => segment),
      uses.map(({ flag }) => flag),
    ],
  })
}

/** Deletes the versions and snapshots that are older than the limits allow. */
function prune(tx: Tx, orgId: string, { currentValues }: Publication): void {
  const outdated = currentValues.filter(({ version }) => version > 0 && version % pruneEvery === 0)
  if (outdated.length === 0) return
  tx.send({
    name: 'prune-publications',
    text: pruneSql,
    values: [
      orgId,
      ...keyColumns(outdated),
      outdated.map(lastOutdated),
      outdated.map(({ version }) => version - limits.snapshotVersionsKept),
      outdated.map(({ browserVersion }) => browserVersion - limits.snapshotVersionsKept),
    ],
  })
}

/** Returns the last version that is not kept. Versions from before a restore are kept until there are enough after it. */
function lastOutdated({ version, lostVersion }: CurrentValuesRecord): number {
  const last = version - limits.versionsKept
  return last >= lostVersion ? last : 0
}

function keyColumns(
  rows: readonly { readonly schemaId: string; readonly environmentId: string }[],
): unknown[][] {
  return [rows.map(({ schemaId }) => schemaId), rows.map(({ environmentId }) => environmentId)]
}

function currentColumns(currentValues: readonly CurrentValuesRecord[]): unknown[][] {
  return [
    ...keyColumns(currentValues),
    currentValues.map(({ version }) => version),
    currentValues.map(({ browserVersion }) => browserVersion),
    currentValues.map(({ values }) =>
      values === undefined ? null : renderOpenValues(values.openValues),
    ),
    currentValues.map(({ values }) =>
      values === undefined ? null : renderSecretValues(values.secretValues),
    ),
  ]
}

function versionColumns(versions: readonly VersionRecord[]): unknown[][] {
  return [
    ...keyColumns(versions),
    versions.map(({ version }) => version),
    versions.map(({ id }) => id),
    versions.map(({ kind }) => kind),
    versions.map(({ author }) => JSON.stringify(author)),
    versions.map(({ comment }) => comment),
    versions.map(({ createdAt }) => createdAt),
    versions.map(({ changes }) => JSON.stringify(changes)),
    versions.map(({ content }) => JSON.stringify(content.open)),
    versions.map(({ content }) => JSON.stringify(content.rules)),
    versions.map(({ content }) => JSON.stringify(content.secret)),
  ]
}

function snapshotColumns(rows: readonly (BrowserRecord | ServerRecord)[]): unknown[][] {
  return [
    ...keyColumns(rows),
    rows.map(({ version }) => version),
    rows.map(({ schema }) => schema),
    rows.map(({ environment }) => environment),
    rows.map(({ etag }) => etag),
    rows.map(({ body }) => body),
  ]
}
