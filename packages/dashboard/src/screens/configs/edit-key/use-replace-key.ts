import type { ApiProblem } from '../../../api/problem.ts'
import { useWrite } from '../../../api/use-api.ts'
import { useOrganization } from '../../../session/organization.ts'
import { toDeclared } from '../definition.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { toBody, type Confirmation } from '../use-save.ts'
import type { ShownKey } from './key-edits.ts'

/** Describes a change of one key, and the consequences that it accepts. */
export interface KeyChange {
  readonly name: string
  /** Holds the new definition. `undefined` deletes the key. */
  readonly key: ShownKey | undefined
  readonly confirmation: Confirmation
  /** Accepts stored values that no longer fit. */
  readonly force?: boolean
  /** Publishes values that are stored as a secret. */
  readonly expose?: boolean
}

/** Replaces or deletes one key of a schema. The other keys stay as they are. */
export function useReplaceKey(schema: ConfigSchema) {
  const { params } = useOrganization()
  const { mutate, isPending, error } = useWrite(
    'PUT /organizations/{org_id}/config-schemas/{schema_id}',
  )
  const replace = (
    { name, key, confirmation, force = false, expose = false }: KeyChange,
    onDone: () => void,
    onRefused?: (problem: ApiProblem) => void,
  ) => {
    const { [name]: _former, ...others } = schema.schema
    // A key that stays keeps its place among the others.
    const next = key === undefined ? others : { ...schema.schema, [name]: key }
    mutate(
      {
        params: { ...params, schema_id: schema.id },
        body: {
          schema: toDeclared(next),
          ...toBody(confirmation),
          ...(force && { force }),
          ...(expose && { exposeKeys: [name] }),
        },
        ifMatch: schema.revision,
      },
      { onSuccess: onDone, ...(onRefused && { onError: onRefused }) },
    )
  }
  return { replace, isPending, error }
}
