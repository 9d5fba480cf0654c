import { Link } from '@tanstack/react-router'
import { FileInput } from 'lucide-react'
import { buttonClass } from '../../../components/button.tsx'
import { useOrganization } from '../../../session/organization.ts'

interface ImportLinkProps {
  /** Holds the id of the schema to import into. `undefined`: a new one. */
  readonly schemaId: string | undefined
}

/** Leads to the import of keys from another product. */
export function ImportLink({ schemaId = 'new' }: ImportLinkProps) {
  const { slug } = useOrganization()
  return (
    <Link
      to="/$org/schemas/$schemaId/import"
      params={{ org: slug, schemaId }}
      className={buttonClass('plain')}
    >
      <FileInput aria-hidden size={15} />
      Import
    </Link>
  )
}
