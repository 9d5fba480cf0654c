import type { ApiProblem } from '../../../api/problem.ts'
import { useWrite } from '../../../api/use-api.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { toReplaceBody, type KeyChange } from './to-replace-body.ts'

/** Replaces or deletes one key of a schema. The other keys stay as they are. */
export function useReplaceKey(schema: ConfigSchema) {
  const { mutate, isPending, error } = useWrite(
    'PUT /organizations/{org_id}/config-schemas/{schema_id}',
  )
  const replace = (
    change: KeyChange,
    onDone: () => void,
    onRefused?: (problem: ApiProblem) => void,
  ) => {
    mutate({
      params: { schema_id: schema.id },
      body: toReplaceBody(schema, change),
      ifMatch: schema.revision,
      onSuccess: onDone,
      ...(onRefused && { onError: onRefused }),
    })
  }
  return { replace, isPending, error }
}
