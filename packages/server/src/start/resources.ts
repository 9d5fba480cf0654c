import type { OpenStore } from '../store/open-store.ts'
import type { RootKeys } from '../vault/open-root-keys.ts'
import type { OrganizationKeys } from '../vault/organization-keys.ts'
import type { StartDeps } from './service.ts'

/** Lists what is closed, each step once. */
export type Closing = (() => Promise<void> | void)[]

/** Holds what a process with a database has opened, and closes again. */
export interface Resources extends StartDeps {
  readonly store: OpenStore
  readonly rootKeys: RootKeys
  readonly keys: OrganizationKeys
  /** Where browsers reach the API. With port 0 it is known only when it listens. */
  readonly address: { url: string }
  /** What is closed first, all at once: each address may have a client that takes its time. */
  readonly listening: Closing
  /** What is closed after that, the last opened first. */
  readonly closing: Closing
}
