import type { Tier } from '@signalbox/contract'
import type { Maker } from '../../audit/audit-event.ts'
import type { TargetReason, TargetState, TargetStore } from '@signalbox/contract/rest'

/** Chooses the keys of a target, and the beginning of their names. */
export interface TargetSelection {
  readonly tiers: readonly Tier[]
  readonly keys: readonly string[]
  readonly prefix: string
}

/** Holds a target as it is stored, without its token. */
export interface Target extends TargetSelection {
  readonly id: string
  readonly name: string
  readonly schemaId: string
  readonly environmentId: string
  readonly provider: string
  readonly destination: Readonly<Record<string, string>>
  readonly address: string
  readonly addressData: Readonly<Record<string, string>>
  readonly destinationName: string
  readonly url: string | null
  readonly state: TargetState
  /** Counts the reasons for a run: publications, and people who ask. */
  readonly demand: number
  /** Holds the count that the last complete run has met. */
  readonly done: number
  /** Holds the time until which a run has the target to itself. `null`: none has, or its node has ended. */
  readonly leaseUntil: Date | null
  readonly fence: number
  readonly writtenVersion: number | null
  readonly lastRunAt: Date | null
  readonly lastOkAt: Date | null
  readonly healthReason: TargetReason | null
  readonly healthDetail: string | null
  readonly healthStep: string | null
  readonly healthUrl: string | null
  readonly failingSince: Date | null
  readonly createdAt: Date
  readonly createdBy: Maker | null
  /** Names the member who answers for it: who created it, or resumed it last. When they leave, it is paused. */
  readonly keeperId: string | null
}

/** Holds a target with its sealed token. */
export interface SealedTarget extends Target {
  readonly sealedToken: Buffer | null
}

/** Holds a target with the count of the names that it wrote. */
export interface CountedTarget extends SealedTarget {
  readonly names: number
}

/** Holds a target with the names of what it is about. */
export interface ShownTarget extends CountedTarget {
  /** `null`: it was deleted. */
  readonly schema: string | null
  readonly environment: string | null
}

/** Holds a row of the ledger: a name that this target wrote, is about to write, or that a person gave it. */
export interface LedgerName {
  /** Holds what the destination tells names apart by. */
  readonly slot: string
  readonly store: TargetStore
  readonly name: string
  readonly key: string
  readonly state: 'writing' | 'written' | 'deleting' | 'adopted'
  readonly version: number | null
  readonly sealedDigest: Buffer | null
  readonly writtenAt: Date | null
}

/** Names where the token of a target is stored, for sealing. */
export function tokenContext(orgId: string, id: string): string {
  return `${orgId}|targets|${id}|token`
}

/** Names where the digest of a written value is stored, for sealing. */
export function digestContext(orgId: string, targetId: string, slot: string): string {
  return `${orgId}|target_names|${targetId}|${slot}`
}
