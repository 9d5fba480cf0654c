import type { ClientAddress } from './http/admission/client-address.ts'
import type { NodeCounts } from './http/admission/node-counts.ts'
import type { UndeclaredProxies } from './http/admission/undeclared-proxies.ts'
import type { RateLimiter } from './http/admission/rate-limit.ts'
import type { Router } from './http/router.ts'
import type { Emit } from './jobs/emit.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { reactions } from './pipeline.ts'
import type { Settings } from './settings.ts'
import type { OpenStore } from './store/open-store.ts'
import type { Log } from './telemetry/log.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { RootKeys } from './vault/open-root-keys.ts'
import type { OrganizationKeys } from './vault/organization-keys.ts'
import type { PublisherKeys } from './vault/publisher-keys.ts'

/** Lists the steps that close something when the process ends, each of which runs once. */
export type Closing = (() => Promise<void> | void)[]

/** Describes an address that the process listens on. */
export interface Listening {
  /** Tells clients and load balancers that the process stops, ends streams spread over `overMs`, and serves on. */
  drain(overMs: number): void
  /** Lets accepted requests finish, and accepts no more. */
  close(): Promise<void>
}

/** Describes how a process shares a node with other processes that deliver. */
export interface SharedNode {
  readonly counts: NodeCounts
  /** Says whether this is the one process that writes the disk cache of the node. */
  readonly writesDisk: boolean
}

/** Holds what every process has, also one that only delivers. */
export interface ProcessKit {
  readonly settings: Settings
  readonly log: Log
  readonly metrics: Metrics
  readonly limiter: RateLimiter
  readonly clientAddress: ClientAddress
  readonly undeclaredProxies: UndeclaredProxies
  readonly now: () => Date
  /** Aborted when the process must stop: a start that is under way is given up. */
  readonly stop: AbortSignal
  /** Overrides how long the first message of a deployment waits, in milliseconds. Only tests set it. */
  readonly initialHoldMs?: number | undefined
  /** Undefined in a process that is a node of its own. */
  readonly sharedNode?: SharedNode | undefined
}

/** Holds what each feature is opened with: the process, its database, keys and jobs. */
export interface Kit extends ProcessKit {
  readonly store: OpenStore
  readonly rootKeys: RootKeys
  readonly keys: OrganizationKeys
  readonly publisherKeys: PublisherKeys
  readonly jobs: Jobs
  /** Enqueues what `pipeline.ts` says follows from an event. */
  readonly emit: Emit<keyof typeof reactions>
  /** Returns the address at which browsers reach the API. With port 0 it is known only once the API listens. */
  readonly publicUrl: () => string
  /** Runs after the listeners are closed, the last step first. */
  readonly closing: Closing
}

/** Describes what a feature gives the process that opens it. */
export interface Feature {
  /** Adds its endpoints. Called where the API is. */
  readonly mount?: (router: Router) => Promise<void> | void
  /** Starts its jobs. Called where the worker is. */
  readonly work?: () => Promise<void>
  /** Ends its streams, also those that open meanwhile, spread over `overMs`: the process stops soon, and serves on until then. */
  readonly drainStreams?: (overMs: number) => void
  /** Ends its streams, which never end by themselves, before the server waits for its answers. */
  readonly endStreams?: () => void
}
