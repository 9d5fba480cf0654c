import { typeOfValue } from '@signalbox/contract'
import type { Sealer } from '../../vault/organization-keys.ts'
import type {
  CurrentValues,
  CurrentValuesByEnvironment,
  OpenEntry,
  SecretEntry,
} from '../../config-model/current-values.ts'
import type { Definition, KeyRule } from '../../config-model/definition.ts'
import { openValue, valueAddress } from '../../config-model/sealed-secrets.ts'

interface Retier {
  readonly orgId: string
  readonly schemaId: string
  readonly definition: Definition
  readonly sealer: Sealer
}

/**
 * Returns the current values with each stored as its key's tier demands: sealed or open. Environments in which all of
 * them already are keep the same object.
 */
export function retierValues(
  retier: Retier,
  currentValues: CurrentValuesByEnvironment,
): CurrentValuesByEnvironment {
  return new Map(
    [...currentValues].map(([id, current]) => [id, retierEnvironment(retier, current)]),
  )
}

function retierEnvironment(retier: Retier, current: CurrentValues): CurrentValues {
  const { definition } = retier
  const toSeal = Object.entries(current.openValues).filter(([key]) => isSecret(definition.get(key)))
  const toOpen = Object.entries(current.secretValues).filter(([key]) => isOpen(definition.get(key)))
  if (toSeal.length === 0 && toOpen.length === 0) return current
  const openValues = { ...current.openValues }
  const secretValues = { ...current.secretValues }
  for (const [key, entry] of toSeal) {
    Reflect.deleteProperty(openValues, key)
    // A sealed value beside the open one is older: the key has been open since it was sealed.
    secretValues[key] = sealEntry(retier, current.environmentId, key, entry)
  }
  for (const [key, { sealed, updatedAt, updatedBy }] of toOpen) {
    Reflect.deleteProperty(secretValues, key)
    const value = openValue(retier.sealer, addressOf(retier, current.environmentId, key), sealed)
    openValues[key] ??= { value, updatedAt, updatedBy }
  }
  return { ...current, openValues, secretValues }
}

function isSecret(rule: KeyRule | undefined): boolean {
  return rule?.tier === 'secret'
}

function isOpen(rule: KeyRule | undefined): boolean {
  return rule !== undefined && rule.tier !== 'secret'
}

function sealEntry(
  retier: Retier,
  environmentId: string,
  key: string,
  { value, updatedAt, updatedBy }: OpenEntry,
): SecretEntry {
  const address = addressOf(retier, environmentId, key)
  const sealed = retier.sealer.seal(address, JSON.stringify(value)).toString('base64')
  return {
    sealed,
    type: typeOfValue(value) ?? 'string',
    updatedAt,
    updatedBy,
  }
}

function addressOf({ orgId, schemaId }: Retier, environmentId: string, key: string): string {
  return valueAddress({ orgId, schemaId, environmentId, key })
}

/** Returns the secrets that a definition would publish and `meant` does not name, by the environment that sets them. */
export function findRevealed(
  definition: Definition,
  currentValues: CurrentValuesByEnvironment,
  meant: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const revealed = [...currentValues.values()].map((current) => {
    const keys = Object.keys(current.secretValues).filter(
      (key) => isOpen(definition.get(key)) && !meant.has(key),
    )
    return [current.environmentId, keys] as const
  })
  return new Map(revealed.filter(([, keys]) => keys.length > 0))
}
