import type { ApiKeyKind, KeyAccess } from '@signalbox/contract'
import type { AgentScope } from '@signalbox/contract'

/** Describes the authenticated sender of a request. */
export type Actor = UserActor | ApiKeyActor | BootstrapActor | AgentActor

/** Describes a person, signed in by a session or a personal access token. */
export interface UserActor {
  readonly type: 'user'
  readonly userId: string
  readonly name: string
  readonly email: string
  /**
   * Tells how the person is authenticated. `session`: a browser with the cookie, so the rules against forged requests
   * apply.
   */
  readonly via: 'session' | 'token'
  readonly credentialId: string
  /** Holds the name of the token; absent for sessions. */
  readonly credentialName?: string
  /** Says that the token has the right to manage: it may open doors. Absent for sessions, which may with a recent password. */
  readonly manages?: boolean
  /** Holds when the password was last typed in this session; absent for tokens. */
  readonly authenticatedAt?: Date
  /** Holds the longest time without a request since then, in milliseconds; absent for tokens. */
  readonly idleMs?: number
  /** Holds the time from the creation of the token to its end, in milliseconds; `Infinity` without an end. Absent for sessions. */
  readonly lifeMs?: number
}

/** Describes an API key, or a token made from one. */
export interface ApiKeyActor {
  readonly type: 'api_key'
  readonly orgId: string
  readonly keyId: string
  /** Holds the kind. `b2m` is public: it reads what everyone may read and nothing else. */
  readonly kind: ApiKeyKind
  /** Says whether the key writes where its kind may. */
  readonly access: KeyAccess
  readonly name: string
  /** Lists the environments that the key is restricted to; `null`: every one. */
  readonly environmentIds: readonly string[] | null
  /** Lists the schemas that the key is restricted to; `null`: every one. */
  readonly schemaIds: readonly string[] | null
  readonly credentialId: string
}

/**
 * Describes an assistant that acts for a member. It is no person: what takes a `UserActor`, such as everything that shows a
 * secret, does not take it.
 */
export interface AgentActor {
  readonly type: 'agent'
  readonly orgId: string
  /** Names the member. */
  readonly userId: string
  readonly name: string
  readonly scope: AgentScope
  /** Names the program as it names itself. Example: `claude-code 2.3`. */
  readonly client: string
  /** Holds the host that describes the program, where the member connected it by OAuth. Such a program can ask for more. */
  readonly clientHost?: string
  readonly credentialId: string
  /** Holds the time from the creation of the token to its end, in milliseconds. */
  readonly lifeMs?: number
}

/** Describes the operator's script with `SIGNALBOX_BOOTSTRAP_TOKEN`. It acts as an owner. */
export interface BootstrapActor {
  readonly type: 'bootstrap'
  readonly credentialId: 'bootstrap'
}
