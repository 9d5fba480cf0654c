import { callAs, type Caller } from '../e2e/call.ts'
import { benchSettings } from './own-postgres.ts'

/** The path of one snapshot, a browser key that reads it, and whose values may be written. */
export interface Snapshot {
  readonly owner: Caller
  readonly orgId: string
  readonly target: { readonly schemaId: string; readonly environmentId: string }
  readonly path: string
  readonly browserKey: string
}

/** Makes an organization with a schema of fifty keys in one environment. */
export async function createSnapshot(apiUrl: string): Promise<Snapshot> {
  const bootstrap = callAs(apiUrl, benchSettings.SIGNALBOX_BOOTSTRAP_TOKEN)
  const { id: orgId } = await bootstrap<{ id: string }>('POST', '/organizations', { name: 'Bench' })
  const owner = callAs(`${apiUrl}/organizations/${orgId}`, benchSettings.SIGNALBOX_BOOTSTRAP_TOKEN)
  const key = await owner<{ secret: string }>('POST', '/api-keys', { name: 'bench', kind: 'b2m' })
  const environment = await owner<{ id: string }>('POST', '/environments', { name: 'live' })
  const definition = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [
      `key${index}`,
      { type: 'string', tier: 'public', default: `the default of key ${index}` },
    ]),
  )
  const body = { name: 'bench', schema: definition }
  const schema = await owner<{ id: string }>('POST', '/config-schemas', body)
  return {
    owner,
    orgId,
    target: { schemaId: schema.id, environmentId: environment.id },
    path: `/snapshots/${schema.id}/${environment.id}`,
    browserKey: key.secret,
  }
}
