import { useList } from '../../../api/use-api.ts'
import { describeGrant, type DescribedGrant } from './describe-grant.ts'

/** Reads the environments and the schemas that grants are about. */
export function useGrantable() {
  const query = { limit: 100 }
  return {
    environments: useList('GET /organizations/{org_id}/environments', { query }),
    schemas: useList('GET /organizations/{org_id}/config-schemas', { query }),
  }
}

/** Says a grant as a sentence. Example: `Developers write values in staging, without reading its secrets`. */
export function GrantSentence({ grant }: { readonly grant: DescribedGrant }) {
  const { environments, schemas } = useGrantable()
  const known = { environments: environments.data, schemas: schemas.data }
  return (
    <span className="wrap-anywhere">
      <bdi>{grant.subject.name}</bdi> {describeGrant(grant, known)}
    </span>
  )
}
