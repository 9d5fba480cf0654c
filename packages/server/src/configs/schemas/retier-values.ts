import type { Sealer } from '../../vault/organization-keys.ts'
import type { ConfigHead, ConfigHeads, OpenEntry, SecretEntry } from '../values/config-head.ts'
import type { Definition, KeyRule } from './definition.ts'
import { openValue, valueAddress } from '../values/sealed-secrets.ts'

interface Retier {
  readonly orgId: string
  readonly schemaId: string
  readonly definition: Definition
  readonly sealer: Sealer
}

/** The heads with every value stored as its key's tier demands. Heads in which all are already stay the same objects. */
export function retierHeads(retier: Retier, heads: ConfigHeads): ConfigHeads {
  return new Map([...heads].map(([id, head]) => [id, retierHead(retier, head)]))
}

function retierHead(retier: Retier, head: ConfigHead): ConfigHead {
  const { definition } = retier
  const toSeal = Object.entries(head.openValues).filter(([key]) => isSecret(definition.get(key)))
  const toOpen = Object.entries(head.secretValues).filter(([key]) => isOpen(definition.get(key)))
  if (toSeal.length === 0 && toOpen.length === 0) return head
  const openValues = { ...head.openValues }
  const secretValues = { ...head.secretValues }
  for (const [key, entry] of toSeal) {
    Reflect.deleteProperty(openValues, key)
    // A sealed value that waited beside it is the older one: the schema had the key as open since.
    secretValues[key] = sealEntry(retier, head.environmentId, key, entry)
  }
  for (const [key, { sealed, updatedAt, updatedBy }] of toOpen) {
    Reflect.deleteProperty(secretValues, key)
    const value = openValue(retier.sealer, addressOf(retier, head.environmentId, key), sealed)
    openValues[key] ??= { value, updatedAt, updatedBy }
  }
  return { ...head, openValues, secretValues }
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
    type: typeof value === 'string' ? 'string' : typeOf(value),
    updatedAt,
    updatedBy,
  }
}

function typeOf(value: number | boolean): SecretEntry['type'] {
  return typeof value === 'number' ? 'number' : 'boolean'
}

function addressOf({ orgId, schemaId }: Retier, environmentId: string, key: string): string {
  return valueAddress({ orgId, schemaId, environmentId, key })
}

/** Secrets that environments set, and that a definition would publish without their being `meant`: by environment. */
export function findRevealed(
  definition: Definition,
  heads: ConfigHeads,
  meant: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const revealed = [...heads.values()].map((head) => {
    const keys = Object.keys(head.secretValues).filter(
      (key) => isOpen(definition.get(key)) && !meant.has(key),
    )
    return [head.environmentId, keys] as const
  })
  return new Map(revealed.filter(([, keys]) => keys.length > 0))
}
