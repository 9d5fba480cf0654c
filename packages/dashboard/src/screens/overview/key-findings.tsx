import { Link } from '@tanstack/react-router'
import { CircleAlert, GitCompareArrows } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { Badge } from '../../components/badge.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { MatrixSearch } from '../configs/workspace/search.ts'
import { ProofLink } from '../proofs/proof-link.tsx'
import { useWatching } from '../proofs/use-proofs.ts'

type Environment = AnswerOf<'GET /organizations/{org_id}/overview'>['environments'][number]

interface KeyFindingsProps {
  readonly environment: Environment
  readonly environments: readonly Environment[]
}

const badgeLink = 'inline-flex min-h-7 items-center rounded hover:no-underline'

/** Links to the keys of an environment that have no value, to those that differ from the environment before it, and to what is watched. */
export function KeyFindings({ environment, environments }: KeyFindingsProps) {
  const { missingBySchema, drift, name } = environment
  const proof = useWatching().find(({ subject }) => subject.environmentId === environment.id)
  const other = environments.find(({ id }) => id === drift?.environmentId)?.name
  return (
    <>
      {proof !== undefined && <ProofLink proof={proof} />}
      {missingBySchema.map((schemaCount) => (
        <KeysLink
          key={schemaCount.schemaId}
          search={{ schema: schemaCount.schemaId, only: 'missing', environment: name }}
          title={`Required keys of ${schemaCount.schema} without a value in ${name}`}
        >
          <Badge isName tone="bad" icon={CircleAlert}>
            {toWords(schemaCount, missingBySchema)} missing
          </Badge>
        </KeysLink>
      ))}
      {other !== undefined &&
        drift?.bySchema.map((schemaCount) => (
          <KeysLink
            key={schemaCount.schemaId}
            search={{
              schema: schemaCount.schemaId,
              only: 'drift',
              environment: name,
              against: other,
            }}
            title={`Keys of ${schemaCount.schema} that differ from ${other}`}
          >
            <Badge isName icon={GitCompareArrows}>
              {toWords(schemaCount, drift.bySchema)} differ
            </Badge>
          </KeysLink>
        ))}
    </>
  )
}

type SchemaCount = Environment['missingBySchema'][number]

/** Returns the count, with the name of the schema where there are several. */
function toWords({ schema, count }: SchemaCount, all: readonly SchemaCount[]): string {
  return all.length === 1 ? String(count) : `${schema}: ${count}`
}

interface KeysLinkProps {
  readonly search: MatrixSearch
  readonly title: string
  readonly children: ReactNode
}

function KeysLink({ search, title, children }: KeysLinkProps) {
  const { slug } = useOrganization()
  return (
    <Link
      to="/$org/config"
      params={{ org: slug }}
      search={search}
      className={badgeLink}
      title={title}
    >
      {children}
    </Link>
  )
}
