import type { EvaluationContext } from '@signalbox/contract'
import type { ImportedKey, ReadOptions } from '../importer.ts'

/** Returns a module of the project in which the command runs. */
export type LoadModule = (specifier: string) => unknown

/** Describes one flag of an export in one of its environments, under our name for that. */
export interface JudgedFlag {
  readonly key: ImportedKey
  readonly environment: string
}

/** Decides flags of an export as the product does. */
export interface OpenJudge {
  /**
   * Returns the value that the SDK serves, or the name of the variant of a flag that has variants. `null`: it has none, so each call
   * has its own default.
   */
  readonly decide: (flag: JudgedFlag, context: EvaluationContext) => unknown
  readonly close: () => void | Promise<void>
}

/** Describes the SDK of a product, which decides the flags of an export without the network. */
export interface Judge {
  /** Lists what npm has to install, the SDK first. */
  readonly packages: readonly [sdk: string, ...more: string[]]
  /** Feeds the SDK with the text of an export. @throws {ExportError} when only a part of what decides is in this form */
  readonly open: (
    load: LoadModule,
    text: string,
    options: ReadOptions,
  ) => OpenJudge | Promise<OpenJudge>
}

/** Ignores what an SDK logs: its errors and warnings are about contexts, which may be personal. */
export const silent = { error() {}, warn() {}, info() {}, debug() {} }

/** Divides a context into the id of the user, as text, and everything else. */
export function splitContext(context: EvaluationContext): {
  readonly id: string | undefined
  readonly rest: Readonly<Record<string, unknown>>
} {
  const { targetingKey, ...rest } = context
  const isText = typeof targetingKey === 'string' || typeof targetingKey === 'number'
  return { id: isText ? String(targetingKey) : undefined, rest }
}

/** Puts values whose names are paths into objects. Example: `[[['company', 'size'], 5]]` is `{ company: { size: 5 } }`. */
export function nest(
  entries: readonly (readonly [path: readonly string[], value: unknown])[],
): Record<string, unknown> {
  const root = new Map<string, unknown>()
  for (const [path, value] of entries) {
    let at = root
    for (const name of path.slice(0, -1)) {
      const known = at.get(name)
      const inner = known instanceof Map ? known : new Map<string, unknown>()
      at.set(name, inner)
      at = inner
    }
    at.set(path.at(-1) ?? '', value)
  }
  return toObject(root)
}

function toObject(map: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    [...map].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]),
  )
}
