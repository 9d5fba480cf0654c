import type { ConfigValue } from '@signalbox/contract'
import { readValues } from './read-values.ts'
import type { Session } from '../session.ts'
import type { SchemaTarget } from '../target.ts'

/** Describes a value of a secret, with every environment that has it. */
export interface StoredSecret {
  readonly key: string
  readonly value: ConfigValue
  readonly environments: readonly string[]
}

/** Holds the secrets of an environment. */
export interface StoredSecrets {
  /** Lists the keys of secrets, with and without a value. */
  readonly names: readonly string[]
  readonly secrets: readonly StoredSecret[]
}

/**
 * Returns the secrets of environments of one schema, each value of a key once. It warns of secrets that the token may
 * not read.
 */
export async function readSecrets(
  session: Session,
  targets: readonly SchemaTarget[],
): Promise<StoredSecrets> {
  const names = new Set<string>()
  const hidden: string[] = []
  const secrets = new Map<string, StoredSecret>()
  for (const target of targets) {
    const { name } = target.environment
    const { values } = await readValues(target)
    for (const [key, { tier, value, source }] of Object.entries(values)) {
      if (tier !== 'secret') continue
      names.add(key)
      if (value === undefined && source !== 'missing') hidden.push(`${key} of ${name}`)
      if (value === undefined) continue
      const id = JSON.stringify([key, value])
      const environments = [...(secrets.get(id)?.environments ?? []), name]
      secrets.set(id, { key, value, environments })
    }
  }
  if (hidden.length > 0) session.output.warn(`not readable with this token: ${hidden.join(', ')}`)
  return { names: [...names], secrets: [...secrets.values()] }
}
