import type { RootKey } from '../crypto/root-key.ts'
import type { ClientAddress } from '../http/admission/client-address.ts'
import type { RateLimiter } from '../http/admission/rate-limit.ts'
import type { KeyRing } from '../identity/key-ring/key-ring.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { AuthenticatedPerson, KeyVerifier, PersonCredentials } from './http/authenticate.ts'
import type { StreamLimits } from './streams/streams.ts'

/** What the delivery is given by the process it is in. */
export interface DeliveryDeps {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  /** `delivery/` is made in it. */
  readonly dataDir: string
  readonly ring: KeyRing
  /** Takes what the ring saved before the last stop. Throws when it has not the form. */
  readonly restoreRing: (saved: unknown) => void
  readonly verifier: KeyVerifier
  /** Given when the API role is in this process: people are known to it alone. */
  readonly authenticatePerson?:
    | ((credentials: PersonCredentials) => Promise<AuthenticatedPerson>)
    | undefined
  /** Empty: server keys are answered with `sealed`. */
  readonly rootKeys: () => readonly RootKey[]
  readonly limiter: RateLimiter
  readonly clientAddress: ClientAddress
  readonly metrics: Pick<
    Metrics,
    'setOpenStreams' | 'recordCutStream' | 'recordRateLimited' | 'watchDelivery'
  >
  readonly log: Log
  readonly now: () => Date
  /** Left out: the default ones, or none where nothing else is limited either. */
  readonly streamLimits?: Partial<StreamLimits> | undefined
}
