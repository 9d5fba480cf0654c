import { Link } from '@tanstack/react-router'
import { CircleAlert, GitCompareArrows } from 'lucide-react'
import type { AnswerOf } from '../../api/routes.ts'
import { Badge } from '../../components/badge.tsx'
import { useOrganization } from '../../session/organization.ts'

type Environment = AnswerOf<'GET /organizations/{org_id}/overview'>['environments'][number]

interface KeyFindingsProps {
  readonly environment: Environment
  readonly environments: readonly Environment[]
}

const badgeLink = 'inline-flex min-h-7 items-center rounded hover:no-underline'

/** Links to the keys of an environment that have no value, and to those that differ from the environment before it. */
export function KeyFindings({ environment, environments }: KeyFindingsProps) {
  const { slug } = useOrganization()
  const { missingKeys, drift, name } = environment
  const other = environments.find(({ id }) => id === drift?.environmentId)?.name
  return (
    <>
      {missingKeys > 0 && (
        <Link
          to="/$org/config"
          params={{ org: slug }}
          search={{ only: 'uneven' }}
          className={badgeLink}
          title={`Required keys without a value in ${name}`}
        >
          <Badge tone="bad" icon={CircleAlert}>
            {missingKeys} missing
          </Badge>
        </Link>
      )}
      {drift !== null && drift.keys > 0 && (
        <Link
          to="/$org/config"
          params={{ org: slug }}
          search={{ only: 'uneven' }}
          className={badgeLink}
          title={other === undefined ? undefined : `Keys that differ from ${other}`}
        >
          <Badge icon={GitCompareArrows}>{drift.keys} differ</Badge>
        </Link>
      )}
    </>
  )
}
