import type { Store, Tx } from '../../store/store.ts'
import type { OrganizationKeys, Sealer } from '../../vault/organization-keys.ts'
import type { PublisherKeys, SnapshotSigner } from '../../vault/publisher-keys.ts'
import {
  renderServerSnapshot,
  sealedSecretsAddress,
  sealedSignatureAddress,
} from '../../config-model/snapshot.ts'
import {
  lockUnsignedBrowsers,
  lockUnsignedServers,
  storeBrowserSignatures,
  storeServerSignatures,
} from './unsigned-rows.ts'

/** Holds the dependencies of `signSnapshots`. */
export interface SigningDeps {
  readonly store: Pick<Store, 'maintenance' | 'announce'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  readonly publisherKeys: PublisherKeys
}

const rowsPerTransaction = 100

/**
 * Signs the current snapshots whose signature is missing or out of date, and returns how many there were: after an upgrade, a
 * change of the publisher keys, an import, and a write by a node of an older release. A write signs what it publishes itself.
 */
export async function signSnapshots(deps: SigningDeps): Promise<number> {
  await deps.publisherKeys.refresh()
  const signer = deps.publisherKeys.signer()
  let signed = 0
  for (const signBatch of [signBrowsers, signServers]) {
    for (;;) {
      const count = await deps.store.maintenance((tx) => signBatch(deps, tx, signer))
      signed += count
      if (count < rowsPerTransaction) break
    }
  }
  if (signed > 0) deps.store.announce('snapshots')
  return signed
}

async function signBrowsers(_: SigningDeps, tx: Tx, signer: SnapshotSigner): Promise<number> {
  const { generation } = signer
  const rows = await lockUnsignedBrowsers(tx, generation, rowsPerTransaction)
  const signed = rows.map(({ body, createdAt, ...place }) => {
    const snapshot = { audience: 'browser', ...place, publishedAtMs: createdAt.getTime() } as const
    return { ...place, signature: signer.sign(snapshot, body) }
  })
  if (signed.length > 0) await storeBrowserSignatures(tx, generation, signed)
  return rows.length
}

async function signServers({ keys }: SigningDeps, tx: Tx, signer: SnapshotSigner): Promise<number> {
  const { generation } = signer
  const rows = await lockUnsignedServers(tx, generation, rowsPerTransaction)
  const sealers = new Map<string, Sealer>()
  for (const { orgId } of rows) {
    if (!sealers.has(orgId)) sealers.set(orgId, await keys.getSealer(tx, orgId))
  }
  const signed = rows.flatMap(({ body, createdAt, sealedSecrets, ...place }) => {
    const sealer = sealers.get(place.orgId)
    if (sealer === undefined) return []
    const secrets =
      sealedSecrets === null
        ? '{}'
        : sealer.open(sealedSecretsAddress(place), sealedSecrets).toString('utf8')
    const snapshot = { audience: 'server', ...place, publishedAtMs: createdAt.getTime() } as const
    const signature = signer.sign(snapshot, renderServerSnapshot(body, secrets))
    return [{ ...place, signature: sealer.seal(sealedSignatureAddress(place), signature) }]
  })
  if (signed.length > 0) await storeServerSignatures(tx, generation, signed)
  return rows.length
}
