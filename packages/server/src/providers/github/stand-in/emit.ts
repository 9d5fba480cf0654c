import type { GithubRepository } from './state.ts'

/** Describes an event in a repository or of an installation, which is sent to the apps that subscribe to it. */
export interface GithubEvent {
  /** Example: `deployment_status`. */
  readonly name: string
  readonly action?: string
  readonly repository?: GithubRepository
  readonly installationId?: number
  /**
   * Limits the event to this app, whichever repositories it reaches: events about the app itself, or about an
   * installation that is gone.
   */
  readonly appId?: number
  /** Holds the whole body except for `installation`, which is added for each delivery. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** Sends an event to every installation that reaches the repository. Returns before anything has arrived. */
export type EmitGithubEvent = (event: GithubEvent) => void
