import { unprotected } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import type { ConfigDirectory } from '../../identity/config-directory.ts'
import type { Tx } from '../../store/store.ts'
import { insertEnvironmentRow, noPreview } from './environment-rows.ts'

const firstEnvironments = ['development', 'staging', 'production']

/**
 * Creates what identity needs of configuration: the first environments of an organization, and the check which ids
 * exist.
 */
export function createConfigDirectory({ now }: { readonly now: () => Date }): ConfigDirectory {
  return {
    async createFirstEnvironments(tx, orgId) {
      const moment = now()
      // The ids are a millisecond apart, so that lists keep this order.
      const created = firstEnvironments.map((name, index) => ({
        id: newId('env', new Date(moment.getTime() + index)),
        name,
      }))
      for (const { id, name } of created) {
        await insertEnvironmentRow(tx, orgId, {
          id,
          name,
          description: '',
          production: name === 'production',
          protection: unprotected,
          parentId: null,
          ...noPreview,
          revision: 1,
          createdAt: moment,
          updatedAt: moment,
        })
      }
      return created
    },
    findEnvironmentIds: (tx, orgId, ids) => findIds(tx, 'environments', orgId, ids),
    findSchemaIds: (tx, orgId, ids) => findIds(tx, 'config_schemas', orgId, ids),
  }
}

async function findIds(
  tx: Tx,
  table: 'environments' | 'config_schemas',
  orgId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx.query<{ id: string }>({
    name: `find-ids-of-${table}`,
    text: `select id from ${table} where org_id = $1 and id = any ($2::text[])`,
    values: [orgId, ids],
  })
  return rows.map(({ id }) => id)
}
