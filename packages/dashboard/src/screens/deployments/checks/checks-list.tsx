import { Link } from '@tanstack/react-router'
import { ListChecks } from 'lucide-react'
import { useList } from '../../../api/use-api.ts'
import { Badge } from '../../../components/badge.tsx'
import { CodeBlock, Sha } from '../../../components/code.tsx'
import { DocsLink } from '../../../components/docs-link.tsx'
import { MoreButton } from '../../../components/more-button.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { EmptyState, Loaded } from '../../../components/states.tsx'
import { Cell, Row, Table } from '../../../components/table.tsx'
import { Age } from '../../../components/time.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { StateBadge } from '../badges.tsx'
import {
  conclusionVariants,
  describeCheck,
  describeReport,
  describeSource,
  type CommitCheck,
} from './describe-check.ts'

/** Lists the checks of open pull requests, of the newest commit of each branch, and of what is live. */
export function ChecksList() {
  const checks = useList('GET /organizations/{org_id}/commit-checks', { query: { state: 'open' } })
  return (
    <>
      <p className="max-w-3xl text-muted">
        A check compares the configuration that a commit declares with the values of every
        environment, and again whenever a value changes.{' '}
        <DocsLink page="pull-requests">The check on the pull request</DocsLink>
      </p>
      <Loaded query={checks}>
        {(items) =>
          items.length === 0 ? (
            <NoChecks />
          ) : (
            <div className="min-w-0 overflow-x-auto rounded-lg border border-line bg-panel">
              <Table
                columns={[
                  { title: 'Commit', className: 'w-1/4' },
                  'Result',
                  { title: 'Reported', className: 'w-1/4' },
                  'Compared',
                ]}
              >
                {items.map((check) => (
                  <CheckRow key={check.id} check={check} />
                ))}
              </Table>
              <MoreButton list={checks} />
            </div>
          )
        }
      </Loaded>
    </>
  )
}

function NoChecks() {
  return (
    <EmptyState
      icon={ListChecks}
      title="No commit checks yet"
      action={<CodeBlock code="signalbox check --upload" />}
    >
      With this command in its pipeline, every commit says before it is merged which values the
      environments lack.
    </EmptyState>
  )
}

function CheckRow({ check }: { readonly check: CommitCheck }) {
  const { slug } = useOrganization()
  const { id, sha, repository, pullRequestUrl, isFork, conclusion, checkedAt } = check
  const source = describeSource(check)
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <Link to="/$org/deployments/checks/$checkId" params={{ org: slug, checkId: id }}>
          <Sha sha={sha} />
        </Link>{' '}
        {source !== undefined && (
          <OutsideLink href={pullRequestUrl} className="inline-flex min-h-7 items-center">
            <bdi>{source}</bdi>
          </OutsideLink>
        )}{' '}
        {isFork && <Badge>from a fork</Badge>}
        <div className="text-sm text-muted">
          <bdi>{repository}</bdi>
        </div>
      </Cell>
      <Cell className="wrap-anywhere">
        <StateBadge variant={conclusionVariants[conclusion]} />
        <Sentences check={check} />
      </Cell>
      <Cell className="wrap-anywhere">
        <Report check={check} />
      </Cell>
      <Cell>
        <Age at={checkedAt} />
      </Cell>
    </Row>
  )
}

/** Says in each environment what is wrong. */
function Sentences({ check }: { readonly check: CommitCheck }) {
  return (
    <ul>
      {describeCheck(check).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

/** Says where the result stands at the code host, with a link to it. */
function Report({ check: { report } }: { readonly check: CommitCheck }) {
  const host = useProviderName('codehost')
  return (
    <>
      <OutsideLink href={report.url} className="inline-flex min-h-7 items-center">
        <span className="line-clamp-6">{describeReport(report, host)}</span>
      </OutsideLink>
      {report.nextStep !== null && (
        <div className="line-clamp-6 text-sm text-muted">{report.nextStep}</div>
      )}
    </>
  )
}
