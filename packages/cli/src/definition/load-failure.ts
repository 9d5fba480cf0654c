import { CliError } from '../terminal/cli-error.ts'
import { countOf } from '../terminal/count.ts'
import { findLineOfKey } from './line-of-key.ts'

/** Returns what went wrong while a definition file ran, with the lines its author has to look at. */
export function toLoadFailure(path: string, source: string, error: unknown): CliError {
  if (error instanceof CliError) return error
  const message = error instanceof Error ? error.message : String(error)
  const missing = /Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1]
  const refused = definitionViolations(path, source, message)
  if (refused.length > 0) {
    return new CliError(
      'validation',
      'invalid_definition',
      `${path} has ${countOf(refused.length, 'problem')}.`,
      {
        details: refused,
        cause: error,
      },
    )
  }
  const location = error instanceof Error ? locationOf(error.stack ?? '', path) : undefined
  return new CliError('validation', 'definition_broken', `${location ?? path} cannot be loaded.`, {
    details: message.split('\n').slice(0, 3),
    advice: adviceFor(missing),
    cause: error,
  })
}

function adviceFor(missing: string | undefined): string {
  if (missing === undefined) return 'The definition must load without a server and without secrets.'
  if (isPath(missing)) return 'Correct the path: there is no such file.'
  // No package is called so: bundlers and tsconfig.json map such names to files.
  return /^[@~#]\//.test(missing)
    ? `${missing} is an alias of your bundler. Write the path in the definition: ./…`
    : `npm install ${packageOf(missing)}`
}

/** Returns whether an import names a file and no package: `./x.js`, `/x.js`, `file:///x.js`, `C:\\x.js`. */
function isPath(specifier: string): boolean {
  return specifier.startsWith('.') || specifier.startsWith('/') || /^[a-z]+:/i.test(specifier)
}

/** Splits the message of `defineConfig` into one line for each violation. */
function definitionViolations(path: string, source: string, message: string): string[] {
  if (!message.startsWith('Configuration: ')) return []
  return message
    .slice('Configuration: '.length)
    .split('; ')
    .map((violation) => {
      const named = /^(public|secret|featureFlags) key "([^"]+)"/.exec(violation)
      const tier = named?.[1]
      const line =
        tier === 'public' || tier === 'secret' || tier === 'featureFlags'
          ? findLineOfKey(source, tier, named?.[2] ?? '')
          : undefined
      return line === undefined ? violation : `${path}:${line}  ${violation}`
    })
}

/** Returns `path:line` of the first stack frame in the file. */
function locationOf(stack: string, path: string): string | undefined {
  const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const line = new RegExp(`${escaped}:(\\d+)`).exec(stack)?.[1]
  return line === undefined ? undefined : `${path}:${line}`
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}
