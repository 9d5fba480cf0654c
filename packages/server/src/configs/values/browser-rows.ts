import type { Tx } from '../../store/store.ts'
import type { StoredDefinition } from '../../config-model/definition.ts'
import type { EnvironmentNode } from '../../config-model/environment-tree.ts'
import type { StoredOpenValues } from '../../config-model/stored-entries.ts'

/**
 * Describes what a browser key may know of a schema in an environment. Holds no secret's value and no secret's name.
 */
export interface BrowserStateRow {
  readonly environmentId: string
  readonly browserVersion: number
  readonly openValues: StoredOpenValues
  readonly schemaName: string
  /** The keys of the open tiers. */
  readonly definition: StoredDefinition
  readonly environments: EnvironmentNode[]
}

/**
 * Lists the current values of an environment and of all it inherits from, without any column of secrets and without the
 * keys of that tier: they do not even reach this process.
 */
export async function listBrowserState(
  tx: Tx,
  of: { readonly orgId: string; readonly schemaId: string; readonly environmentId: string },
): Promise<BrowserStateRow[]> {
  return tx.query<BrowserStateRow>({
    name: 'list-browser-state',
    text: `with recursive above (id, name, parent_id, inherited_secrets, is_archived, level) as (
        select id, name, parent_id, inherited_secrets, archived_at is not null, 1 from environments where org_id = $1 and id = $3
        union all
        select e.id, e.name, e.parent_id, e.inherited_secrets, e.archived_at is not null, a.level + 1 from above a
        join environments e on e.org_id = $1 and e.id = a.parent_id where a.level < 32
      )
      select h.environment_id as "environmentId", h.browser_version as "browserVersion",
        h.open_values as "openValues", s.name as "schemaName",
        (select coalesce(json_object_agg(d.key, d.value), '{}') from json_each(s.definition) d
          where d.value ->> 'tier' in ('public', 'featureFlags')) as definition,
        (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'parentId', parent_id,
          'inheritedSecrets', inherited_secrets, 'isArchived', is_archived)), '[]')
          from above) as environments
      from current_values h
      join config_schemas s on s.org_id = h.org_id and s.id = h.schema_id
      where h.org_id = $1 and h.schema_id = $2 and h.environment_id in (select id from above)`,
    values: [of.orgId, of.schemaId, of.environmentId],
  })
}
