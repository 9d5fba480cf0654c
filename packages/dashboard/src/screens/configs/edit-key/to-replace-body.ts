import type { PutBody } from '../add-key/to-put-body.ts'
import { toDeclared } from '../definition.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { toBody, type Confirmation } from '../use-save.ts'
import type { ShownKey } from './key-edits.ts'
import type { ValueEdit } from './stored-values.ts'

/** Describes a change of one key, and the consequences that it accepts. */
export interface KeyChange {
  readonly name: string
  /** Holds the new definition. `undefined` deletes the key. */
  readonly key: ShownKey | undefined
  /** Lists the values that change with it. */
  readonly values?: readonly ValueEdit[]
  readonly confirmation: Confirmation
  /** Accepts stored values that no longer fit. */
  readonly force?: boolean
  /** Publishes values that are stored as a secret. */
  readonly expose?: boolean
  /** Stores open values that have the form of a credential. */
  readonly isPlain?: boolean
}

/** Returns the whole definition with one key changed, and the values that change with it. */
export function toReplaceBody(
  { schema }: Pick<ConfigSchema, 'schema'>,
  change: KeyChange,
): PutBody {
  const { name, key, values = [], confirmation, force = false, expose = false } = change
  const { isPlain = false } = change
  const { [name]: _former, ...others } = schema
  // A key that stays keeps its place among the others.
  const next = key === undefined ? others : { ...schema, [name]: key }
  return {
    schema: toDeclared(next),
    ...toBody(confirmation),
    ...(force && { force }),
    ...(expose && { exposeKeys: [name] }),
    ...(isPlain && { allowPlain: [name] }),
    // The form shows the values of every environment. What it does not show does not come back.
    ...(key !== undefined && { returning: { [name]: 'forget' as const } }),
    ...(values.length > 0 && {
      values: values.map(({ environmentId, value }) =>
        value === undefined
          ? { environmentId, set: {}, unset: [name] }
          : { environmentId, set: { [name]: value } },
      ),
    }),
  }
}
