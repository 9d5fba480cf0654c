import { Link } from '@tanstack/react-router'
import { Layers } from 'lucide-react'
import { buttonLook } from '../../parts/button.tsx'
import { DocsLink } from '../../parts/docs-link.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'

/** Instead of a grid without columns. */
export function NoEnvironments() {
  const { slug } = useOrganization()
  return (
    <EmptyState
      icon={Layers}
      title="No environments yet"
      action={
        <Link
          to="/$org/environments"
          params={{ org: slug }}
          search={{ panel: 'create' }}
          className={buttonLook('primary')}
        >
          Create an environment
        </Link>
      }
    >
      Each environment is a column here: the same keys, with values of its own or inherited ones.
      <p className="mt-2">
        <DocsLink page="configuration#environments">What environments are</DocsLink>
      </p>
    </EmptyState>
  )
}
