import type { ConfigValue } from '@signalbox/contract'
import type { Author } from '../audit/audit-event.ts'
import type { Sealer } from '../vault/organization-keys.ts'
import { ownKeys, type ConfigHead, type OpenEntry, type SecretEntry } from './config-head.ts'
import type { Definition } from './definition.ts'
import { valuePlace } from './sealed-place.ts'

/** What a write does to the values that an environment sets itself. */
export interface ValueEdit {
  readonly set: ReadonlyMap<string, ConfigValue>
  /** `'others'`: whatever is not set. */
  readonly remove: ReadonlySet<string> | 'others'
}

/** Who edits which head, and with what secrets are sealed. */
export interface EditContext {
  readonly orgId: string
  readonly schemaId: string
  readonly definition: Definition
  readonly sealer: Sealer
  readonly author: Author
  readonly now: Date
}

/**
 * The head after an edit of checked values; the very same object when the edit changes nothing. What keeps its value
 * keeps its author, its time and its seal.
 */
export function editHead(context: EditContext, head: ConfigHead, edit: ValueEdit): ConfigHead {
  const openValues: Record<string, OpenEntry> = { ...head.openValues }
  const secretValues: Record<string, SecretEntry> = { ...head.secretValues }
  let changed = false
  const drop = (values: Record<string, unknown>, key: string) => {
    if (!Object.hasOwn(values, key)) return
    Reflect.deleteProperty(values, key)
    changed = true
  }
  for (const key of removedKeys(head, edit)) {
    drop(openValues, key)
    drop(secretValues, key)
  }
  for (const [key, value] of edit.set) {
    const isSecret = context.definition.get(key)?.tier === 'secret'
    // What was stored as another tier demanded does not stay beside the value.
    drop(isSecret ? openValues : secretValues, key)
    if (isSecret) {
      const entry = sealEntry(context, head, key, value)
      changed ||= entry !== head.secretValues[key]
      secretValues[key] = entry
    } else if (openValues[key]?.value !== value) {
      changed = true
      openValues[key] = { value, ...made(context) }
    }
  }
  return changed ? { ...head, openValues, secretValues } : head
}

function removedKeys(head: ConfigHead, { set, remove }: ValueEdit): Iterable<string> {
  return remove === 'others' ? ownKeys(head).filter((key) => !set.has(key)) : remove
}

function made({ now, author }: EditContext): Pick<OpenEntry, 'updatedAt' | 'updatedBy'> {
  return { updatedAt: now.getTime(), updatedBy: author }
}

/** The entry there is when it holds the same value, else a fresh seal. */
function sealEntry(
  context: EditContext,
  head: ConfigHead,
  key: string,
  value: ConfigValue,
): SecretEntry {
  const { orgId, schemaId, sealer, definition } = context
  const place = valuePlace({ orgId, schemaId, environmentId: head.environmentId, key })
  const text = JSON.stringify(value)
  const known = head.secretValues[key]
  if (known !== undefined && openText(sealer, place, known.sealed) === text) return known
  const type = definition.get(key)?.type ?? 'string'
  return { sealed: sealer.seal(place, text).toString('base64'), type, ...made(context) }
}

/** The JSON text of a value that was sealed at `place`. */
export function openText(sealer: Sealer, place: string, sealed: string): string {
  return sealer.open(place, Buffer.from(sealed, 'base64')).toString()
}

/** A value that was sealed at `place`. */
export function openValue(sealer: Sealer, place: string, sealed: string): ConfigValue {
  const value: ConfigValue = JSON.parse(openText(sealer, place, sealed))
  return value
}
