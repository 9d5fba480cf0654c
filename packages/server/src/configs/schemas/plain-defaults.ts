import {
  findPlainDefaults,
  isPlainCredential,
  looksLikeSecret,
} from '../../config-model/constraints/plain-credentials.ts'
import type { Definition } from '../../config-model/definition.ts'
import type { SentValues } from './set-sent-values.ts'
import { refuseViolations } from '../../config-model/refuse.ts'

/**
 * Returns the keys whose new defaults have the form of a credential, all of which the request allows.
 *
 * @throws {Problem} `looks_like_secret` with a pointer to each default that it does not allow
 */
export function requirePlainDefaults(
  definition: Definition,
  { before, allowPlain }: { readonly before?: Definition; readonly allowPlain: readonly string[] },
): readonly string[] {
  const plain = findPlainDefaults(definition, before)
  const violations = [...plain]
    .filter(([key]) => !allowPlain.includes(key))
    .map(([key, credential]) => looksLikeSecret(['schema', key, 'default'], { key, credential }))
  if (violations.length > 0) throw refuseViolations(violations)
  return [...plain.keys()]
}

/** Returns the open keys to which a request sends values with the form of a credential. */
export function listPlainValues(
  definition: Definition,
  values: readonly SentValues[],
): readonly string[] {
  const isPlain = ([key, value]: readonly [string, unknown]) =>
    definition.get(key)?.tier !== 'secret' && isPlainCredential(value)
  const sent = values.flatMap(({ set }) => Object.entries(set).filter(isPlain))
  return [...new Set(sent.map(([key]) => key))]
}
