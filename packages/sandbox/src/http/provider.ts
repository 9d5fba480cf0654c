import type { Answer, Route, SandboxRequest } from './route.ts'

/** Describes a part of a provider that has an address of its own. */
export interface Mount {
  /** Begins every path of it. Example: `/github/api`. */
  readonly prefix: string
  readonly routes: readonly Route[]
  /** Answers a path or method that the provider does not have, as the provider does. */
  readonly unknown: (request: SandboxRequest) => Answer
  /** Marks pages for looking at the provider: they get no faults and are not logged. */
  readonly isForWatching?: boolean
  /** Returns the headers of every response, such as the rest of a rate limit. */
  readonly headers?: (request: SandboxRequest) => Readonly<Record<string, string>>
}

/** Describes one pretended provider. */
export interface Provider {
  /** Example: `github`. */
  readonly name: string
  readonly mounts: readonly Mount[]
  /** Restores the seed. What a person set up stays: the registration of the app. */
  reset(): void
}
