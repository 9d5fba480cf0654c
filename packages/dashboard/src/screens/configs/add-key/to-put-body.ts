import type { KeyDefinition } from '@signalbox/contract'
import type { RequestOf } from '../../../api/routes.ts'
import { toDeclared } from '../definition.ts'
import type { ConfigSchema } from '../schema-picker.tsx'

type PutBody = NonNullable<
  RequestOf<'PUT /organizations/{org_id}/config-schemas/{schema_id}'>['body']
>

/** Returns the whole definition with another key at its end. */
export function toPutBody(
  { schema }: Pick<ConfigSchema, 'schema'>,
  name: string,
  definition: KeyDefinition,
): PutBody {
  const { constraints, ...rest } = definition
  return {
    schema: {
      ...toDeclared(schema),
      [name]: {
        ...rest,
        declaredIn: 'dashboard',
        ...(constraints && { constraints: { ...constraints } }),
      },
    },
  }
}
