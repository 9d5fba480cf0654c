import type { Answer } from '../../../../../../sandbox/src/http/route.ts'
import { refuse } from '../errors.ts'

/** Returns GitHub's 422 for a field (`validation-error`). Example of a resource: `DeploymentStatus`. */
export function validationFailed(
  resource: string,
  field: string,
  problem: { readonly code: 'custom' | 'invalid'; readonly message: string },
): Answer {
  return refuse(422, 'Validation Failed', { errors: [{ resource, field, ...problem }] })
}
