import { toHref } from '@signalbox/contract'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ItemOf } from '../../../api/routes.ts'
import { useList, useRead } from '../../../api/use-api.ts'
import { Badge } from '../../../components/badge.tsx'
import { buttonClass } from '../../../components/button.tsx'
import { CopyButton, Prose, Sha } from '../../../components/code.tsx'
import { Facts } from '../../../components/facts.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { Page } from '../../../components/page.tsx'
import { Panel } from '../../../components/panel.tsx'
import { Loaded, Skeleton } from '../../../components/states.tsx'
import { Cell, Row, Table } from '../../../components/table.tsx'
import { Age } from '../../../components/time.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { PathLink } from '../../../session/path-link.tsx'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { StateBadge } from '../badges.tsx'
import {
  conclusionVariants,
  describeCheck,
  describeReport,
  describeSource,
  resultVariants,
  type CheckedEnvironment,
  type CheckedSchema,
  type CommitCheck,
} from './describe-check.ts'

/** Shows the check of one commit: what each environment lacks, and where to set it. */
export function CheckScreen() {
  const { checkId } = useParams({ from: '/$org/deployments/checks/$checkId' })
  const { slug } = useOrganization()
  const query = useRead('GET /organizations/{org_id}/commit-checks/{check_id}', {
    params: { check_id: checkId },
  })
  const above = (
    <Link
      to="/$org/deployments"
      params={{ org: slug }}
      search={{ view: 'checks' }}
      className={buttonClass('quiet')}
    >
      All commit checks
    </Link>
  )
  return (
    <Loaded
      query={query}
      skeleton={<Skeleton lines={10} />}
      around={(instead) => (
        <Page title="Commit check" above={above}>
          {instead}
        </Page>
      )}
    >
      {(check) => (
        <Page
          title={`Configuration of ${check.sha.slice(0, 7)}`}
          above={above}
          beside={
            <>
              <StateBadge variant={conclusionVariants[check.conclusion]} />
              {check.isFork && <Badge>from a fork</Badge>}
            </>
          }
        >
          <Summary check={check} />
          {check.schemas.map((schema) => (
            <SchemaPanel key={schema.name} schema={schema} />
          ))}
        </Page>
      )}
    </Loaded>
  )
}

interface SummaryProps {
  readonly check: CommitCheck
}

/** Says what the check says as a whole, of which commit, and where it is reported. */
function Summary({ check }: SummaryProps) {
  const { repository, sha, state, pullRequestUrl, ref, pullRequest, uploadedAt, checkedAt } = check
  const source = describeSource(check)
  return (
    <Panel title="Result">
      <div className="flex flex-col gap-3">
        <div role="status" className="font-medium wrap-anywhere">
          {describeCheck(check).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        {state === 'closed' && (
          <p className="text-muted">
            A newer commit came, or its pull request ended, so this is not compared again.
          </p>
        )}
        <Facts
          facts={{
            Repository: <bdi>{repository}</bdi>,
            'Proposed as':
              pullRequest === null ? undefined : (
                <OutsideLink href={pullRequestUrl}>{source}</OutsideLink>
              ),
            Branch: ref === null ? undefined : <bdi>{ref}</bdi>,
            Commit: (
              <span className="inline-flex items-center">
                <Sha sha={sha} />
                <CopyButton text={sha} label="Copy the commit's hash" />
              </span>
            ),
            Uploaded: <Age at={uploadedAt} />,
            Compared: <Age at={checkedAt} />,
            Reported: <Report check={check} />,
          }}
        />
      </div>
    </Panel>
  )
}

function Report({ check: { report } }: SummaryProps) {
  const host = useProviderName('codehost')
  return (
    <>
      <OutsideLink href={report.url}>
        <LongText text={describeReport(report, host)} />
      </OutsideLink>
      {report.writtenAt !== null && (
        <>
          {', '}
          <Age at={report.writtenAt} />
        </>
      )}
      {report.nextStep !== null && (
        <p className="line-clamp-6 text-muted">
          <Prose text={report.nextStep} />
        </p>
      )}
    </>
  )
}

interface SchemaPanelProps {
  readonly schema: CheckedSchema
}

/** Shows one schema of the commit: in each environment its missing and invalid values, and what still runs with another definition. */
function SchemaPanel({ schema }: SchemaPanelProps) {
  const { name, schemaId, environments } = schema
  return (
    <Panel title={`Schema ${name}`} flush>
      {schemaId === null && (
        <p className="border-b border-line px-4 py-2 wrap-anywhere text-muted">
          Nobody has pushed this schema yet, so no environment has values of it. Run{' '}
          <code className="font-mono text-sm">signalbox push</code>, then set them.
        </p>
      )}
      {environments.length === 0 ? (
        <p className="p-4 text-muted">There is no environment to compare it with yet.</p>
      ) : (
        <Table columns={['Environment', 'Result', { title: 'Keys', className: 'w-3/5' }]}>
          {environments.map((environment) => (
            <Row key={environment.environmentId}>
              <Cell className="wrap-anywhere">
                <bdi className="font-medium">{environment.environment}</bdi>
              </Cell>
              <Cell>
                <StateBadge variant={resultVariants[environment.result]} />
              </Cell>
              <Cell className="wrap-anywhere">
                <Keys schema={schema} environment={environment} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  )
}

interface KeysProps extends SchemaPanelProps {
  readonly environment: CheckedEnvironment
}

/** Lists the keys of an environment that need somebody, each with a link to where it is set. */
function Keys({ schema, environment }: KeysProps) {
  const { missing, invalid, breaking } = environment
  if (missing.length + invalid.length + breaking.length === 0)
    return <span className="text-muted">Every key has a valid value.</span>
  return (
    <ul className="flex flex-col gap-1">
      {missing.map((key) => (
        <KeyLine key={key} name={key} detail="It has no value.">
          <ToValue {...{ schema, environment }} name={key} verb="Set" />
        </KeyLine>
      ))}
      {invalid.map(({ key, detail }) => (
        <KeyLine key={key} name={key} detail={detail}>
          <ToValue {...{ schema, environment }} name={key} verb="Change" />
        </KeyLine>
      ))}
      {breaking.map(({ key, detail }) => (
        <KeyLine key={`breaking ${key}`} name={key} detail={detail} />
      ))}
    </ul>
  )
}

interface KeyLineProps {
  readonly name: string
  readonly detail: string
  readonly children?: ReactNode
}

function KeyLine({ name, detail, children }: KeyLineProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-2">
      <code className="font-mono text-sm break-all">{name}</code>
      <span className="min-w-0 text-muted">
        <LongText text={detail} />
      </span>
      {children}
    </li>
  )
}

interface ToValueProps extends KeysProps {
  readonly name: string
  readonly verb: 'Set' | 'Change'
}

type Definition = ItemOf<'GET /organizations/{org_id}/config-schemas'>['schema'][string]

/** Leads to the value of a key. A key that the pushed schema does not have has none yet, which it says instead. */
function ToValue({ schema: { schemaId }, environment, name, verb }: ToValueProps) {
  const { may } = useOrganization()
  const schemas = useList('GET /organizations/{org_id}/config-schemas', { query: { limit: 100 } })
  const pushed = schemas.data?.find(({ id }) => id === schemaId)
  if (schemaId === null || pushed === undefined) return null
  const definition: Definition | undefined = pushed.schema[name]
  if (definition === undefined) {
    return <span className="text-muted">Push the schema first: the key is new.</span>
  }
  const mayWrite = may('writeValues', { environmentId: environment.environmentId, schemaId })
  const search = { schema: schemaId, filter: name, environment: environment.environment }
  const page = definition.tier === 'featureFlags' ? 'flags' : 'config'
  return (
    <PathLink path={toHref({ page, search })} className="inline-flex min-h-7 items-center">
      {mayWrite ? `${verb} value` : 'Show value'}
      <span className="sr-only">
        {' '}
        of {name} in {environment.environment}
      </span>
    </PathLink>
  )
}
