import type { Maker } from '../../test/testing/organization.ts'
import { apiKeysSql, deploymentsSql, withoutTriggers } from './fill-sql.ts'
import { environmentsEach, keysEach, type Size } from './sizes.ts'
import type { GrowingServer } from './server.ts'

/** Describes an organization with its schema, and a key that reads it. */
export interface FilledOrganization {
  readonly id: string
  readonly schemaId: string
  readonly environmentIds: readonly string[]
  readonly serverKey: string
}

/** Makes so many organizations side by side. */
const atOnce = 4
const secretKeys = 100

/** Creates an organization with a schema of `keys` keys: four in five are public texts, others flags, and some secrets with values. */
export async function addOrganization(
  maker: Maker,
  name: string,
  keys: number,
): Promise<FilledOrganization> {
  const { id } = await maker.organization(name)
  const environmentIds: string[] = []
  for (let n = 0; n < environmentsEach; n += 1)
    environmentIds.push((await maker.environment(id, { name: `env-${n}` })).id)
  const secrets = Math.min(secretKeys, Math.floor(keys / 10))
  const definition = Object.fromEntries(
    Array.from({ length: keys }, (_, n) => [keyName(n), definitionOf(n, secrets)]),
  )
  const schema = await maker.schema(id, { name: 'app', schema: definition })
  const values = Object.fromEntries(
    Array.from({ length: secrets }, (_, n) => [keyName(n), `secret ${n} of ${name}`]),
  )
  for (const environmentId of environmentIds)
    await maker.call(`PUT /organizations/${id}/config-values`, {
      schemaId: schema.id,
      environmentId,
      values,
    })
  const { secret } = await maker.key(id, { name: 'bench', kind: 'm2m' })
  return { id, schemaId: schema.id, environmentIds, serverKey: secret }
}

const keyName = (n: number) => `group${n % 20}Key${n}`

/** Names a public key of such a schema. */
export const publicKey = (keys: number) => keyName(keys - 1 - ((keys - 1) % 5) - 1)

function definitionOf(n: number, secrets: number): object {
  if (n < secrets) return { type: 'string', tier: 'secret' }
  if (n % 5 === 0) return { type: 'boolean', tier: 'featureFlags', default: false }
  return { type: 'string', tier: 'public', default: `the default of key ${n}` }
}

/** Brings the server from one size to the next. Snapshots are published by the service itself, row by row as it does. */
export async function grow(
  server: GrowingServer,
  maker: Maker,
  {
    organizations,
    from,
    to,
  }: { readonly organizations: FilledOrganization[]; readonly from: Size; readonly to: Size },
): Promise<void> {
  let next = organizations.length
  const add = async () => {
    while (next < to.organizations) {
      next += 1
      organizations.push(await addOrganization(maker, `Company ${next}`, keysEach))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, add))
  const [first] = organizations
  if (first === undefined) throw new Error('There is no organization')
  await server.asOwner(async (client) => {
    await client.query(withoutTriggers)
    for (const sql of apiKeysSql)
      await client.query(sql, [organizations.map(({ id }) => id), from.apiKeys, to.apiKeys])
    for (const sql of deploymentsSql)
      await client.query(sql, [first.id, first.environmentIds, from.deployments, to.deployments])
    // As autovacuum does some time after.
    await client.query('vacuum analyze')
  })
}
