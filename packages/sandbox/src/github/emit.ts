import type { GithubRepository } from './state.ts'

/** Something happened in a repository or to an installation, and the apps that listen are told. */
export interface GithubEvent {
  /** Example: `deployment_status`. */
  readonly name: string
  readonly action?: string
  readonly repository?: GithubRepository
  readonly installationId?: number
  /** Only this app is told, whatever it reaches: what happens to the app itself, or to an installation that is gone. */
  readonly appId?: number
  /** The whole body but for `installation`, which each delivery gets of its own. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** Sends an event to every installation that reaches the repository. Returns before anything has arrived. */
export type EmitGithubEvent = (event: GithubEvent) => void
