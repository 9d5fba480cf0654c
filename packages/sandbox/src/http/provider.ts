import type { Answer, Route, SandboxRequest } from './route.ts'

/** Lists the providers that the sandbox pretends to be. */
export const providerNames = ['github', 'jira', 'slack'] as const
/** Names a pretended provider. */
export type ProviderName = (typeof providerNames)[number]

/** A part of a provider that has an address of its own. */
export interface Mount {
  /** Begins every path of it. Example: `/github/api`. */
  readonly prefix: string
  readonly routes: readonly Route[]
  /** The provider's own answer to a path or method that it does not have. */
  readonly unknown: (request: SandboxRequest) => Answer
  /** Holds what somebody looks at it with: no fault happens to it, and it is not logged. */
  readonly isForWatching?: boolean
  /** Headers that the provider adds to every answer, such as what is left of a rate limit. */
  readonly headers?: (request: SandboxRequest) => Readonly<Record<string, string>>
}

/** One pretended provider. */
export interface Provider {
  readonly name: ProviderName
  readonly mounts: readonly Mount[]
  /** Forgets everything that happened: what is there at the start is there again. What a person set up stays: the registration of the app. */
  reset(): void
}
