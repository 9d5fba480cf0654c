import { isConfigValue } from '@signalbox/contract'
import type { Edit, StagedCell } from './staged.ts'

/** Describes the staged changes that survive a reload of the tab. */
export interface StoredChanges {
  readonly changes: readonly StagedCell[]
  readonly lostSecrets: number
}

/**
 * Serializes the changes for a reload. New values of secrets are left out, because everybody at this machine can read
 * the storage.
 */
export function toStored(changes: readonly StagedCell[]): string {
  const storable = changes.filter(({ secret, edit }) => !secret || edit.kind === 'unset')
  return JSON.stringify({ changes: storable, lostSecrets: changes.length - storable.length })
}

/** Parses the text of `toStored`. Returns no changes for anything else. */
export function readStored(text: string | null): StoredChanges {
  const stored = parse(text)
  if (!isRecord(stored)) return { changes: [], lostSecrets: 0 }
  const { changes, lostSecrets } = stored
  return {
    changes: Array.isArray(changes) ? changes.filter(isStagedCell) : [],
    lostSecrets: typeof lostSecrets === 'number' ? lostSecrets : 0,
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isStagedCell(value: unknown): value is StagedCell {
  return (
    isRecord(value) &&
    ['environmentId', 'key', 'base'].every((name) => typeof value[name] === 'string') &&
    typeof value['secret'] === 'boolean' &&
    isEdit(value['edit'])
  )
}

function isEdit(value: unknown): value is Edit {
  if (!isRecord(value)) return false
  if (value['kind'] === 'unset') return true
  const { rules } = value
  return (
    value['kind'] === 'set' &&
    isConfigValue(value['value']) &&
    (rules === undefined || (Array.isArray(rules) && rules.every(isRule)))
  )
}

function isRule(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value['when']) && value['serve'] !== undefined
}
