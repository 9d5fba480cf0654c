import type { ConfigValue, KeyDefinition } from '@signalbox/contract'
import type { RequestOf } from '../../../api/routes.ts'
import { toDeclared } from '../definition.ts'
import type { ConfigSchema } from '../schema-picker.tsx'

/** Describes the request that replaces a definition. */
export type PutBody = NonNullable<
  RequestOf<'PUT /organizations/{org_id}/config-schemas/{schema_id}'>['body']
>

/** Describes a key to add, with its values by the ids of their environments. */
export interface NewKey {
  readonly name: string
  readonly definition: KeyDefinition
  readonly values: ReadonlyMap<string, ConfigValue>
  /** Says that no open value is a secret, although one has the form of it. */
  readonly isPlain: boolean
}

/** Returns the whole definition with another key at its end, and the values that are stored with it. */
export function toPutBody(
  { schema }: Pick<ConfigSchema, 'schema'>,
  { name, definition, values, isPlain }: NewKey,
): PutBody {
  const { constraints, tags, variants, ...rest } = definition
  return {
    schema: {
      ...toDeclared(schema),
      [name]: {
        ...rest,
        declaredIn: 'dashboard',
        ...(tags && { tags: [...tags] }),
        ...(variants && { variants: [...variants] }),
        ...(constraints && { constraints: { ...constraints } }),
      },
    },
    // A value of an earlier key of this name is not in the review, so it does not come back.
    returning: { [name]: 'forget' },
    ...(isPlain && { allowPlain: [name] }),
    ...(values.size > 0 && {
      values: [...values].map(([environmentId, value]) => ({
        environmentId,
        set: { [name]: value },
      })),
    }),
  }
}
