import { isRecord } from '../project/json.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { Declared, Fields, Kind, KindPlan, Resource, Step } from './kind.ts'
import type { World } from './world.ts'

/** Compares what the file declares of one kind with what is stored. With `prune`, what it does not name is deleted. */
export async function planKind(
  world: World,
  { kind, declared }: { readonly kind: Kind; readonly declared: readonly Declared[] },
  prune: boolean,
): Promise<KindPlan> {
  const stored = await kind.read(world)
  const known = toMap(kind, stored)
  const named = new Set(declared.map(({ key }) => key))
  const unnamed = stored.filter(({ key }) => !named.has(key))
  const targetOfFile = declared.map(({ key, fields }) => ({
    key,
    fields: merge(known.get(key) ?? {}, fields),
  }))
  const steps: Step[] = targetOfFile.flatMap(({ key, fields: after }): Step[] => {
    const before = known.get(key)
    if (before === undefined) return [{ change: 'create', key, after }]
    return listDifferences(before, after).length === 0
      ? []
      : [{ change: 'change', key, before, after }]
  })
  const touched = new Set(steps.map(({ key }) => key))
  const deleted = prune
    ? unnamed.map(({ key, fields: before }): Step => ({ change: 'delete', key, before }))
    : []
  const target = prune ? targetOfFile : [...targetOfFile, ...unnamed]
  return {
    kind,
    steps: [...steps, ...deleted],
    isReordered: kind.isOrdered === true && isReordered(stored, target),
    target,
    unchanged: [...named].filter((key) => !touched.has(key)),
    unnamed: prune ? [] : unnamed.map(({ key }) => key),
  }
}

/**
 * Returns stored resources by their names.
 *
 * @throws {CliError} `ambiguous_name` where two stored resources have one name, because the file could mean either
 */
export function toMap(
  { member, noun }: Kind,
  stored: readonly Resource[],
): ReadonlyMap<string, Fields> {
  const known = new Map<string, Fields>()
  for (const { key, fields } of stored) {
    if (known.has(key)) {
      throw new CliError(
        'conflict',
        'ambiguous_name',
        `${member}: there are two with the name "${key}", and the file can mean only one.`,
        { advice: `Give one ${noun} another name in the dashboard.` },
      )
    }
    known.set(key, fields)
  }
  return known
}

/** Returns the stored members with those of the file in their place. */
function merge(stored: Fields, declared: Fields): Fields {
  const merged: Record<string, unknown> = { ...stored }
  for (const [name, value] of Object.entries(declared)) {
    const before = merged[name]
    merged[name] = isRecord(before) && isRecord(value) ? merge(before, value) : value
  }
  return merged
}

/** Returns whether the stored items stand in another order than they should. */
function isReordered(stored: readonly Resource[], target: readonly Resource[]): boolean {
  const remaining = new Set(target.map(({ key }) => key))
  const present = new Set(stored.map(({ key }) => key))
  const before = stored.map(({ key }) => key).filter((key) => remaining.has(key))
  const after = target.map(({ key }) => key).filter((key) => present.has(key))
  return before.some((key, at) => after[at] !== key)
}

/** Describes a member whose value changes. */
export interface Difference {
  /** Holds the path of the member. Example: `protection.comment`. */
  readonly member: string
  readonly before: unknown
  readonly after: unknown
}

/** Lists the members that differ. Lists of texts are sets: their order has no meaning. */
export function listDifferences(before: Fields, after: Fields, prefix = ''): Difference[] {
  return Object.entries(after).flatMap(([name, value]): Difference[] => {
    const member = `${prefix}${name}`
    const known = before[name]
    if (isRecord(value)) return listDifferences(isRecord(known) ? known : {}, value, `${member}.`)
    return comparable(known) === comparable(value)
      ? []
      : [{ member, before: known ?? null, after: value ?? null }]
  })
}

function comparable(value: unknown): string {
  return JSON.stringify(
    Array.isArray(value) ? [...new Set(value.map(String))].sort() : (value ?? null),
  )
}

/** Returns whether a plan changes anything. */
export function hasChanges(plans: readonly KindPlan[]): boolean {
  return plans.some(({ steps, isReordered: isMoved }) => steps.length > 0 || isMoved)
}
