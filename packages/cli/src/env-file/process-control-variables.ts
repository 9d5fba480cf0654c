import { CliError } from '../terminal/cli-error.ts'

/**
 * Lists the variables that control programs before their own work begins. With one of them, any author of
 * configuration could run code, or choose whom to trust, on every machine that reads it.
 */
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

/** Holds a key with the name of its variable. */
export interface NamedKey {
  /** Holds the name of the variable. */
  readonly name: string
  readonly key: string
}

/** Returns the keys whose variables control programs. */
export function findProcessControl(entries: Iterable<NamedKey>): NamedKey[] {
  return [...entries].filter(({ name }) => steers(name))
}

/**
 * Throws for variables that control programs, such as NODE_OPTIONS, and are not in `allowed`.
 *
 * @throws {CliError} `steering_name`
 */
export function assertNoProcessControl(
  entries: Iterable<NamedKey>,
  allowed: readonly string[] = [],
): void {
  const refused = findProcessControl(entries).filter(({ name }) => !allowed.includes(name))
  if (refused.length === 0) return
  throw new CliError(
    'validation',
    'steering_name',
    'Some keys become variables that could run code.',
    {
      details: refused.map(({ name, key }) => `${key}: ${name}`),
      advice: `Rename the key in the definition, or if that is what you want: --allow-variable ${refused.map(({ name }) => name).join(',')}`,
    },
  )
}

function steers(name: string): boolean {
  return controlNames.has(name) || controlPrefixes.some((prefix) => name.startsWith(prefix))
}
