import type { SnapshotStorage } from '../snapshot-storage.ts'

/** Describes the newest snapshot that was verified at an address. */
export interface KnownVersion {
  readonly audience: string
  readonly schemaId: string
  readonly environmentId: string
  readonly epoch: number
  readonly version: number
  readonly publishedAtMs: number
  readonly sha256: string
}

const nameOf = (address: string) => `signalbox verified ${address}`

/** Creates a memory, which outlives the process where there is a storage. */
export function createKnownVersions(storage: SnapshotStorage | undefined) {
  const held = new Map<string, KnownVersion>()
  const read = (address: string): KnownVersion | undefined => {
    try {
      const known: unknown = JSON.parse(storage?.getItem(nameOf(address)) ?? 'null')
      return isKnownVersion(known) ? known : undefined
    } catch {
      // A storage that fails protects no longer than the process.
      return undefined
    }
  }
  return {
    find: (address: string) => held.get(address) ?? read(address),
    keep(address: string, known: KnownVersion): void {
      held.set(address, known)
      void (async () => storage?.setItem(nameOf(address), JSON.stringify(known)))().catch(() => {})
    },
  }
}

function isKnownVersion(value: unknown): value is KnownVersion {
  if (typeof value !== 'object' || value === null) return false
  return 'epoch' in value && 'version' in value && 'sha256' in value && 'publishedAtMs' in value
}

/**
 * Returns what is wrong with a verified snapshot, compared with what was known at its address: it is older, it is for the other
 * audience, or it has other content under the same version.
 */
export function findReplay(known: KnownVersion, is: KnownVersion): string | undefined {
  if (known.audience !== is.audience) return `is for a ${is.audience}, not for a ${known.audience}`
  const isSameTarget = known.schemaId === is.schemaId && known.environmentId === is.environmentId
  // Versions of another environment count separately. It took over the name, so it was published later.
  if (!isSameTarget) return is.publishedAtMs < known.publishedAtMs ? older(known, is) : undefined
  if (is.epoch < known.epoch) return older(known, is)
  if (is.epoch > known.epoch) return undefined
  if (is.version < known.version) return older(known, is)
  if (is.version === known.version && is.sha256 !== known.sha256) {
    return `has other content than version ${known.version} had before`
  }
  return undefined
}

const older = (known: KnownVersion, is: KnownVersion) =>
  `is version ${is.version}, older than ${known.version}, which is known`
