import { readSearch, text, yes } from '../address-values.ts'

/** Reads the address of the screen. */
export const readSignInSearch = readSearch({
  /** Holds the page to return to, of this server alone: browsers take `//elsewhere` and `/\\elsewhere` for other hosts. */
  returnTo(value) {
    const page = text(value)
    return page !== undefined && /^\/(?![/\\])[^\s\\]*$/.test(page) ? page : undefined
  },
  /** Says that a session has ended, and that somebody was at work. */
  ended: yes,
  /** Holds the reason why a sign-in through the provider failed. */
  error: text,
})
