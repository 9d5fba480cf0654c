import { Problem, type ConfigValue, type ProblemLocation } from '@signalbox/contract'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import type { CheckWork } from '../../config-model/constraints/check-work.ts'
import { findValueViolation, stepsOf } from '../../config-model/constraints/check-value.ts'
import { refuseViolations } from '../../config-model/refuse.ts'
import type { KeyRule } from '../../config-model/definition.ts'
import type { ParsedDefinition } from '../../config-model/parse-definition.ts'
import type { SchemaRow } from './schema-rows.ts'
import { withSecrets } from './shown-schema.ts'

/** Holds what a new definition takes its kept defaults from. */
interface StoredDefaults {
  readonly orgId: string
  readonly sealer: Sealer
  readonly row: SchemaRow
}

/**
 * Returns the definition with the stored defaults that it keeps (`hasDefault: true` without `default`). A secret one
 * stays secret.
 *
 * @throws {Problem} with a pointer to each key that has no stored default, or none that the new definition admits.
 */
export async function keepStoredDefaults(
  { orgId, sealer, row }: StoredDefaults,
  parsed: ParsedDefinition,
  work: CheckWork,
): Promise<ParsedDefinition> {
  if (parsed.keptDefaults.size === 0) return parsed
  const known = withSecrets(sealer, orgId, row).secretDefaults
  const definition = new Map(parsed.definition)
  const secretDefaults = new Map(parsed.secretDefaults)
  const violations: ProblemLocation[] = []
  for (const key of parsed.keptDefaults) {
    const rule = definition.get(key)
    if (rule === undefined) continue
    const value = known.get(key) ?? row.definition[key]?.default
    const turn = work.begin(stepsOf(rule, value))
    if (turn !== undefined) await turn
    const violation = findKeepViolation(rule, value, known.has(key))
    if (violation !== undefined) violations.push({ pointer: pointerTo(key), ...violation })
    else if (value !== undefined && rule.tier === 'secret') secretDefaults.set(key, value)
    else if (value !== undefined) definition.set(key, { ...rule, default: value })
  }
  if (violations.length > 0) throw refuseViolations(violations)
  return { ...parsed, definition, secretDefaults }
}

/** Refuses to keep the default of a key in a schema that is not stored yet; throws {Problem} `validation_failed`. */
export function refuseKeptDefaults({ keptDefaults }: ParsedDefinition): void {
  const violations = [...keptDefaults].map((key) => ({ pointer: pointerTo(key), ...nothingStored }))
  if (violations.length > 0) throw refuseViolations(violations)
}

/**
 * Returns the keys whose secret default the new definition leaves out, without saying that it is to be deleted. A
 * writer who is not shown it may have sent back what he was shown.
 */
export function findLostDefaults(
  { secretDefaults }: Pick<SchemaRow, 'secretDefaults'>,
  { definition, deletedDefaults }: ParsedDefinition,
): string[] {
  return Object.keys(secretDefaults).filter(
    (key) => definition.get(key)?.hasDefault === false && !deletedDefaults.has(key),
  )
}

/** Returns the rejection of a definition that would delete the defaults of secrets. `report` is that of the change. */
export function losingDefaults(keys: readonly string[], report: unknown): Problem {
  const detail = `${keys.join(', ')}: the default is a secret, and this definition would delete it. Send "hasDefault": true to keep it, a "default" to replace it, or "hasDefault": false to delete it.`
  const errors = keys.map((key) => ({
    pointer: pointerTo(key),
    code: 'breaking_change' as const,
    detail: `The stored default of ${key} would be deleted. Send true to keep it, or false to delete it.`,
  }))
  return new Problem('breaking_change', detail, {
    errors,
    extensions: { report, losesDefaults: keys },
  })
}

const nothingStored = {
  code: 'validation_failed',
  detail: 'There is no stored default to keep. Add one as "default", or leave this field out.',
} as const

function findKeepViolation(
  rule: KeyRule,
  value: ConfigValue | undefined,
  isSecret: boolean,
): Omit<ProblemLocation, 'pointer'> | undefined {
  if (value === undefined) return nothingStored
  if (isSecret && rule.tier !== 'secret') {
    const detail =
      'The stored default is a secret, but the key no longer is. Use a new one in "default", or send false to delete it.'
    return { code: 'tier_mismatch', detail }
  }
  const violation = findValueViolation(rule, value)
  return (
    violation && {
      code: violation.code,
      detail: `The stored default is no longer valid. ${violation.detail}`,
    }
  )
}

function pointerTo(key: string): string {
  return toJsonPointer(['schema', key, 'hasDefault'])
}
