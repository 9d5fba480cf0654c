import { describeLeak, type Leak } from '@signalbox/config/leak-scan'
import type { Secrets } from './find-secrets.ts'
import type { SignalboxOptions } from './options.ts'

/** Describes a search for secrets in a build. */
export interface Search {
  readonly secrets: Secrets
  /** Counts the files that were searched. */
  readonly files: number
  /** Lists the secrets whose values ordinary text would be taken for. */
  readonly tooPlain: readonly string[]
  /** Says that there was a value to look for, as itself or as its fingerprint. */
  readonly hasValues: boolean
  readonly leaks: readonly Leak[]
}

/** Describes the log of a build, whose `error` ends it. */
export interface BuildLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): never
}

/**
 * Reports a search. A leak ends the build where `leakCheck` is no warning; a server that has not answered ends it where
 * the option says `error` itself.
 */
export function reportLeaks(
  log: BuildLog,
  { secrets, files, tooPlain, hasValues, leaks }: Search,
  leakCheck: SignalboxOptions['leakCheck'],
): void {
  if (tooPlain.length > 0) {
    log.warn(`Too short or too common to search for: the values of ${tooPlain.join(', ')}.`)
  }
  const counted = `${secrets.names.length} names and ${Object.keys(secrets.values).length} values`
  const summary = `Searched ${files} files for ${counted} of secrets.`
  // Names are found in a bundled definition, and a value that is alone never by them.
  if (secrets.names.length > 0 && !hasValues) log.warn(`${summary} ${howToGiveValues}`)
  else log.info(summary)
  if (leaks.length > 0) {
    const listed = leaks.map((leak) => `  ${describeLeak(leak)}`).join('\n')
    const message = `The build contains secrets:\n${listed}`
    if (leakCheck === 'warn') log.warn(message)
    else log.error(message)
  }
  if (secrets.missing === undefined) return
  const message = `The search did not include the secrets on the server: ${secrets.missing}.`
  if (leakCheck === 'error') log.error(message)
  else log.warn(message)
}

const howToGiveValues =
  'Give the build the values: a server key in SIGNALBOX_TOKEN, the variables of the secrets, or the option fingerprints.'
