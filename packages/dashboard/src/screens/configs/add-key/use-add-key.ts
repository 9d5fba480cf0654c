import { useWrite } from '../../../api/use-api.ts'
import { useOrganization } from '../../../session/organization.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { toBody, type Confirmation } from '../use-save.ts'
import { toPutBody, type NewKey } from './to-put-body.ts'

/** Adds a key together with its values: the server stores both, or nothing. */
export function useAddKey(schema: ConfigSchema) {
  const { params } = useOrganization()
  const { mutate, isPending, error } = useWrite(
    'PUT /organizations/{org_id}/config-schemas/{schema_id}',
  )
  const add = (key: NewKey, confirmation: Confirmation, onDone: () => void) =>
    mutate(
      {
        params: { ...params, schema_id: schema.id },
        body: { ...toPutBody(schema, key), ...toBody(confirmation) },
        ifMatch: schema.revision,
      },
      { onSuccess: onDone },
    )
  return { add, isPending, problem: error }
}
