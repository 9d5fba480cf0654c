import {
  looksLikeSecret,
  publishingPrefix,
  soundsSecret,
  type ConfigValue,
  type ValueType,
} from '@signalbox/contract'

/** Describes the guess for a variable. */
export interface GuessedTier {
  readonly tier: 'public' | 'secret'
  /** Says that the name publishes the value elsewhere, although it looks like a secret. */
  readonly isDoubted: boolean
}

const doubtful =
  /key|pass|pwd|secret|token|auth|cred|priv|pin|otp|salt|seed|pepper|dsn|cert|sign|hash|licen|cookie|session|hook|account|user|mail|phone|(?:^|[^a-z])id(?:[^a-z]|$)|Id$/i
const harmless = /(?:^|_)(?:NODE_ENV|ENVIRONMENT|LOG_LEVEL|LOG_FORMAT|TZ|LANG|LOCALE|REGION)$/i
const simpleWord = /^[A-Za-z][A-Za-z0-9_./-]{0,31}$/
const internalHost = /(?:^|\.)(?:internal|local|localhost|svc|lan|corp|home|test|private)$/
const plainSegment = /^(?:[a-z][a-z.-]{0,15}|v\d{1,2})$/

/**
 * Guesses the tier by name and value: secret when in doubt. Public is what a framework publishes already, a plain number,
 * a boolean, a name such as LOG_LEVEL, and the address of a public site, unless the name is one of secrets.
 */
export function guessTier(name: string, value: string): GuessedTier {
  if (publishingPrefix(name) !== undefined) {
    const isDoubted = looksLikeSecret(value)
    return { tier: isDoubted ? 'secret' : 'public', isDoubted }
  }
  const isPublic =
    !soundsSecret(name) && !doubtful.test(name) && !looksLikeSecret(value) && isPlain(name, value)
  return { tier: isPublic ? 'public' : 'secret', isDoubted: false }
}

function isPlain(name: string, value: string): boolean {
  if (toTyped(value).type !== 'string') return true
  return (harmless.test(name) && simpleWord.test(value)) || isPublicAddress(value)
}

/** Returns whether a text is the address of a public site, without anything in it that could be a password. */
function isPublicAddress(value: string): boolean {
  if (!value.startsWith('https://') || !URL.canParse(value)) return false
  const { username, password, search, hash, hostname, pathname } = new URL(value)
  if (`${username}${password}${search}${hash}` !== '') return false
  if (!/\.[a-z]{2,}$/.test(hostname) || internalHost.test(hostname)) return false
  return pathname.split('/').every((part) => part === '' || plainSegment.test(part))
}

/** Returns a number or a boolean only where its text is the plain one. Anything else stays a string. */
export function toTyped(value: string): { readonly type: ValueType; readonly value: ConfigValue } {
  if (value === 'true' || value === 'false') return { type: 'boolean', value: value === 'true' }
  const number = Number(value)
  const isPlainNumber =
    /^-?\d+(?:\.\d+)?$/.test(value) &&
    String(number) === value &&
    (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isPlainNumber ? { type: 'number', value: number } : { type: 'string', value }
}
