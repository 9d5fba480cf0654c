/** Describes an attempt to sign in with a password. */
export interface SignInAttempt {
  /** Holds the e-mail address, whether or not an account has it. */
  readonly account: string
  /** As `addressSubject` counts: an IPv4 address, or the /64 of an IPv6 one. */
  readonly network: string
}

/** Returns one key for each account and network. Neither holds a line break. */
export function nameAttempt({ account, network }: SignInAttempt): string {
  return `${account}\n${network}`
}
