import type { ConfigValue, Tier } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import { sealedSecretsAddress } from '../../config-model/snapshot.ts'

/** Names a schema in an environment. */
interface PublishedRef {
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
}

/** Holds everything that is published of a schema in an environment, secrets opened. Never logged and never stored. */
export interface PublishedValues {
  readonly version: number
  readonly values: ReadonlyMap<string, PublishedValue>
}

/** Holds a value, with the variable that the definition of its key names. */
export interface PublishedValue {
  readonly tier: Tier
  readonly value: ConfigValue
  readonly variable?: string | undefined
}

interface PublishedContent {
  readonly public: Readonly<Record<string, ConfigValue>>
  readonly featureFlags: Readonly<Record<string, ConfigValue>>
  readonly variables?: Readonly<Record<string, string>>
}

/**
 * Returns the newest values of a schema in an environment, of every tier; `undefined` when one of them was deleted. A flag has
 * the value that it has for everyone, without its rules.
 *
 * @throws {UnsealError} when this node can't open the secrets.
 */
export async function readPublishedValues(
  tx: Tx,
  sealer: Sealer,
  ref: PublishedRef,
): Promise<PublishedValues | undefined> {
  const [row] = await tx.query<{
    version: number
    body: string | null
    sealedSecrets: Buffer | null
  }>({
    name: 'read-published-values',
    text: `select version, body, sealed_secrets as "sealedSecrets" from server_snapshots
      where org_id = $1 and schema_id = $2 and environment_id = $3 order by version desc limit 1`,
    values: [ref.orgId, ref.schemaId, ref.environmentId],
  })
  if (row === undefined || row.body === null) return undefined
  const { version, body, sealedSecrets } = row
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- compiled by `compile-snapshot.ts` alone
  const open = JSON.parse(body) as PublishedContent
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- compiled by `compile-snapshot.ts` alone
  const secrets = JSON.parse(
    sealedSecrets === null
      ? '{}'
      : sealer.open(sealedSecretsAddress({ ...ref, version }), sealedSecrets).toString('utf8'),
  ) as Readonly<Record<string, ConfigValue>>
  const ofTier = (tier: Tier, values: Readonly<Record<string, ConfigValue>>) =>
    Object.entries(values).map(
      ([key, value]) => [key, { tier, value, variable: open.variables?.[key] }] as const,
    )
  return {
    version,
    values: new Map([
      ...ofTier('public', open.public),
      ...ofTier('featureFlags', open.featureFlags),
      ...ofTier('secret', secrets),
    ]),
  }
}
