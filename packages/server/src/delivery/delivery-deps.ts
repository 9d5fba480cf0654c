import type { RootKey } from '../crypto/root-key.ts'
import type { ClientAddress } from '../http/admission/client-address.ts'
import type { NodeCounts } from '../http/admission/node-counts.ts'
import type { RateLimiter } from '../http/admission/rate-limit.ts'
import type { ApiKeyCache } from '../identity/key-cache/api-key-cache.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { AuthenticatedPerson, KeyVerifier, PersonCredentials } from './http/authenticate.ts'
import type { RecordReport } from './relay/answer-relay.ts'
import type { ReplicaSigner } from './relay/replica-record.ts'
import type { Upstream } from './relay/upstream.ts'
import type { StreamLimits } from './streams/streams.ts'

/** Lists everything that the process passes to its delivery. */
export interface DeliveryDeps {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  /** Names the directory in which the disk cache `delivery/` is created. */
  readonly dataDir: string
  readonly keyCache: ApiKeyCache
  /** Restores the cache of API keys from what it saved before the last stop. Throws when the shape is wrong. */
  readonly restoreKeyCache: (saved: unknown) => void
  /** Returns the moment up to which every API key is known. Default: now. */
  readonly keysReadAt?: (() => Date | undefined) | undefined
  readonly verifier: KeyVerifier
  /** Identifies a person. Present only in a process with the API role, which alone knows people. */
  readonly authenticatePerson?:
    | ((credentials: PersonCredentials) => Promise<AuthenticatedPerson>)
    | undefined
  /** Returns the root keys. While there is none, server keys are answered with the problem `sealed`. */
  readonly rootKeys: () => readonly RootKey[]
  /** Returns what signs for relays. Undefined where this process has no publisher keys. */
  readonly replicaSigner?: (() => ReplicaSigner) | undefined
  /** Present in a relay: another delivery feeds it, and no database does. */
  readonly upstream?: Upstream | undefined
  /** Sets how often the upstream is asked for its mark. Default 1,000 milliseconds. */
  readonly upstreamPollMs?: number | undefined
  /** Takes the reports of relays. Undefined: this process has nowhere to record them. */
  readonly recordReport?: RecordReport | undefined
  /** Returns the ids of the relays between the database and the readers of this node. Left out: there is none. */
  readonly way?: (() => readonly string[]) | undefined
  readonly limiter: RateLimiter
  readonly clientAddress: ClientAddress
  readonly metrics: Pick<
    Metrics,
    | 'setOpenStreams'
    | 'recordCutStream'
    | 'recordRateLimited'
    | 'recordReplicaRefused'
    | 'watchEpoch'
    | 'watchDelivery'
  >
  readonly log: Log
  readonly now: () => Date
  /** Limits the open streams. Default: the built-in limits, or none when rate limits are off. */
  readonly streamLimits?: Partial<StreamLimits> | undefined
  /** Present where several processes are one node: its limits are those of all of them together. */
  readonly counts?: NodeCounts | undefined
  /** Leaves the disk cache to another process of the node, which writes the same. Default `false`. */
  readonly readsDiskOnly?: boolean | undefined
}
