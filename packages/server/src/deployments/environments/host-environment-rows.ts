import type { Tx } from '../../store/store.ts'
import type { EnvironmentMapping } from './map-environment.ts'

/** Describes an environment of the host as it is reported. */
export interface HostEnvironment {
  readonly repositoryId: string
  readonly name: string
  readonly mapping: EnvironmentMapping
  readonly isTransient: boolean
  /** When it was there. A removal after that stays. `null`: not known, as of deployments that are found later. */
  readonly seenAt: Date | null
}

/** Records an environment of the host and which of ours it is. */
export async function upsertHostEnvironment(
  tx: Tx,
  orgId: string,
  { repositoryId, name, mapping, isTransient, seenAt }: HostEnvironment,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'upsert-host-environment',
    text: `insert into host_environments as h
        (org_id, repository_id, name_key, name, environment_id, mapped_by, ignored, transient, updated_at, removed_at)
      values ($1, $2, lower($3), $3, $4, $5, $6, $7, $8, case when $9::timestamptz is null then $8::timestamptz end)
      on conflict (org_id, repository_id, name_key) do update set environment_id = excluded.environment_id,
        mapped_by = excluded.mapped_by, ignored = excluded.ignored, transient = h.transient or excluded.transient,
        removed_at = case when $9 > h.removed_at then null else h.removed_at end, updated_at = excluded.updated_at
      where (h.environment_id, h.mapped_by, h.ignored, h.transient, h.removed_at) is distinct from
        (excluded.environment_id, excluded.mapped_by, excluded.ignored, h.transient or excluded.transient,
          case when $9 > h.removed_at then null else h.removed_at end)`,
    values: [
      orgId,
      repositoryId,
      name,
      mapping.environmentId,
      mapping.mappedBy,
      mapping.ignored,
      isTransient,
      now,
      seenAt,
    ],
  })
}
