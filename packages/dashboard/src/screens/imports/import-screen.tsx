import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, Lock } from 'lucide-react'
import { wildcardId } from '@signalbox/contract'
import { useList } from '../../api/use-api.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState, Loaded, Skeleton } from '../../components/states.tsx'
import { useOrganization, wholeSchema } from '../../session/organization.ts'
import { useEnvironments } from '../configs/environments.ts'
import { NoEnvironments } from '../configs/workspace/no-environments.tsx'
import { ImportWizard } from './import-wizard.tsx'

/** Imports keys from an export of another product into a schema. */
export function ImportScreen() {
  const { schemaId: named } = useParams({ from: '/$org/schemas/$schemaId/import' })
  const { slug, may } = useOrganization()
  const environments = useEnvironments()
  const schemas = useList('GET /organizations/{org_id}/config-schemas', { query: { limit: 100 } })
  const schemaId = schemas.data?.find(({ id, name }) => id === named || name === named)?.id
  // An import into a new schema needs the right to create one.
  const mayImport = may('writeSchemas', wholeSchema(schemaId ?? wildcardId))
  return (
    <Page
      title="Import"
      above={
        <Link
          to="/$org/schemas"
          params={{ org: slug }}
          className="inline-flex min-h-7 items-center gap-1 text-sm"
        >
          <ArrowLeft aria-hidden size={14} />
          Schemas
        </Link>
      }
    >
      <Loaded query={schemas} skeleton={<Skeleton lines={8} />}>
        {(all) => (
          <Loaded query={environments} skeleton={<Skeleton lines={8} />}>
            {(ours) =>
              !mayImport ? (
                <EmptyState icon={Lock} title="Your role does not allow this">
                  Developers of this organization can import. Ask one of them, or an admin for
                  another role or a grant.
                </EmptyState>
              ) : ours.length === 0 ? (
                <NoEnvironments />
              ) : (
                <ImportWizard schemas={all} environments={ours} schemaId={schemaId ?? ''} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
