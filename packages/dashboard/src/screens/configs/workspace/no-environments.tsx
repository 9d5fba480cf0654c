import { Link } from '@tanstack/react-router'
import { Layers } from 'lucide-react'
import { buttonClass } from '../../../components/button.tsx'
import { DocsLink } from '../../../components/docs-link.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { everywhere, useOrganization } from '../../../session/organization.ts'

/** Replaces a grid without environments. */
export function NoEnvironments() {
  const { slug, may } = useOrganization()
  return (
    <EmptyState
      icon={Layers}
      title="No environments yet"
      action={
        may('manageEnvironments', everywhere) && (
          <Link
            to="/$org/environments"
            params={{ org: slug }}
            search={{ panel: 'create' }}
            className={buttonClass('primary')}
          >
            Create an environment
          </Link>
        )
      }
    >
      Each environment is a column here: the same keys, with values of its own or inherited ones.
      <p className="mt-2">
        <DocsLink page="configuration#environments">What environments are</DocsLink>
      </p>
    </EmptyState>
  )
}
