/** Whoever makes this request. */
export type Actor = UserActor | ApiKeyActor | BootstrapActor

export interface UserActor {
  readonly type: 'user'
  readonly userId: string
  readonly name: string
  readonly email: string
  /** `session`: a browser with the cookie, so the rules against forged requests apply. */
  readonly via: 'session' | 'token'
  readonly credentialId: string
  /** When the password was last typed in this session; absent for tokens. */
  readonly authenticatedAt?: Date
}

export interface ApiKeyActor {
  readonly type: 'api_key'
  readonly orgId: string
  readonly keyId: string
  /** `b2m` is public: it reads what everyone may read and nothing else. */
  readonly kind: 'b2m' | 'm2m'
  readonly name: string
  /** `null`: every environment. */
  readonly environmentIds: readonly string[] | null
  /** `null`: every schema. */
  readonly schemaIds: readonly string[] | null
  readonly credentialId: string
}

/** The operator's script, by `SIGNALBOX_BOOTSTRAP_TOKEN`. Acts as an owner. */
export interface BootstrapActor {
  readonly type: 'bootstrap'
  readonly credentialId: 'bootstrap'
}
