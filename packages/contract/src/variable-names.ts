import type { Tier } from './config.ts'
import type { ConfigValue } from './values/value-types.ts'

/**
 * Returns the environment variable of a key. Examples: `apiUrl` → `API_URL`, `HTTPPort` → `HTTP_PORT`,
 * `stripe.secret-key` → `STRIPE_SECRET_KEY`.
 */
export function toEnvName(key: string): string {
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[.-]+/g, '_')
  return words.replaceAll(/_{2,}/g, '_').toUpperCase()
}

/**
 * Matches the name of a variable that a key declares: letters, digits, `_`, `.`, `-`, as `.env` files, manifests and other
 * products have them; at most 128 characters.
 */
export const variablePattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/

/** Returns the environment variable of a key: the one that it declares, or what its name becomes. */
export function variableNameOf(key: string, declared: string | undefined): string {
  return declared === undefined || declared === '' ? toEnvName(key) : declared
}

/**
 * Returns the variables of keys as a function. `variables` maps those keys that declare one.
 */
export function namesByKey(
  variables: Readonly<Record<string, string>> = {},
): (key: string) => string {
  return (key) => variableNameOf(key, Object.hasOwn(variables, key) ? variables[key] : undefined)
}

/**
 * Returns the key of an environment variable: the way back of `toEnvName`. Examples: `STRIPE_KEY` → `stripeKey`,
 * `LOG_2_FILE` → `log_2File`. The prefix that publishes a variable belongs to the framework: `VITE_API_URL` → `apiUrl`.
 */
export function toKeyName(name: string): string {
  const bare = name.slice(publishingPrefix(name)?.length ?? 0)
  const spaced = /[a-z]/.test(bare) ? toEnvName(bare) : bare.replaceAll(/[.-]+/g, '_')
  const words = spaced
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
  const key = words
    .map((word, index) => {
      if (/^\d/.test(word)) return `_${word}`
      return index === 0 ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`
    })
    .join('')
  // Single letters, such as those of A_B_C, are no words that come back.
  return toEnvName(key) === spaced || /^\d/.test(bare) ? key : spaced.toLowerCase()
}

/** Lists the prefixes that make a framework publish a variable to browsers. */
const publicPrefixes = [
  'NEXT_PUBLIC_',
  'VITE_',
  'NUXT_PUBLIC_',
  'EXPO_PUBLIC_',
  'REACT_APP_',
  'GATSBY_',
] as const

/** Returns the prefix of `name` that makes a bundler publish the variable, if any. */
export function publishingPrefix(name: string): string | undefined {
  return publicPrefixes.find((prefix) => name.startsWith(prefix))
}

/**
 * Returns the variables that several keys would become, with their keys. `toName` says how a key is named. Names that differ
 * only in case are one: Windows and some pipelines do not tell them apart.
 */
export function findNameCollisions(
  keys: Iterable<string>,
  toName: (key: string) => string = toEnvName,
): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  const byUpper = new Map<string, string>()
  for (const key of keys) {
    const name = toName(key)
    const known = byUpper.get(name.toUpperCase()) ?? name
    byUpper.set(known.toUpperCase(), known)
    byName.set(known, [...(byName.get(known) ?? []), key])
  }
  return new Map([...byName].filter(([, names]) => names.length > 1))
}

const controlNames = new Set([
  // Where programs and their settings are found
  'PATH',
  'HOME',
  // Shells
  'BASH_ENV',
  'BASHOPTS',
  'SHELLOPTS',
  'IFS',
  'PS4',
  'PROMPT_COMMAND',
  'ZDOTDIR',
  // Runtimes
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'PYTHONPATH',
  'PYTHONHOME',
  'PYTHONSTARTUP',
  'PERL5LIB',
  'PERL5OPT',
  'RUBYLIB',
  'RUBYOPT',
  'CLASSPATH',
  'JAVA_TOOL_OPTIONS',
  'JDK_JAVA_OPTIONS',
  '_JAVA_OPTIONS',
  'DOTNET_STARTUP_HOOKS',
  'PHPRC',
  // Libraries
  'GCONV_PATH',
  'OPENSSL_CONF',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
])

const controlPrefixes = ['LD_', 'DYLD_', 'GIT_', 'NPM_CONFIG_'] as const

/**
 * Returns whether a variable controls programs before their own work begins. With such a variable, any author of
 * configuration could run code, or choose which certificates to trust, on every machine that reads it.
 */
export function controlsPrograms(name: string): boolean {
  // npm reads npm_config_registry as well, and Windows tells no name from another by its case.
  const upper = name.toUpperCase()
  return controlNames.has(upper) || controlPrefixes.some((prefix) => upper.startsWith(prefix))
}

/** Describes what would become an environment variable. */
export interface VariableCandidate {
  readonly name: string
  readonly tier: Tier
  /** Absent: only the name is judged. */
  readonly value?: ConfigValue
}

/**
 * Returns why a key may not go out as an environment variable; `undefined` where it may. `allowed` names the variables that
 * the reader wants although they control programs. The text never holds the value.
 */
export function findVariableViolation(
  { name, tier, value }: VariableCandidate,
  allowed: readonly string[] = [],
): string | undefined {
  if (controlsPrograms(name) && !allowed.includes(name)) {
    return `${name} could run code in the program that reads it. Rename the key.`
  }
  if (typeof value === 'string' && value.includes('\0')) {
    return 'The value contains a NUL character, which no variable can hold.'
  }
  return findPublishedSecret({ name, tier })
}

/** Returns why a secret may not go out under a name, whatever the format; `undefined` where it may. */
export function findPublishedSecret({ name, tier }: VariableCandidate): string | undefined {
  return tier === 'secret' && publishingPrefix(name) !== undefined
    ? `The key is a secret, but bundlers publish a variable called ${name} to browsers. Rename the key.`
    : undefined
}

/** Names the header that lists the variables which an answer leaves out. */
export const leftOutHeader = 'Signalbox-Left-Out'
