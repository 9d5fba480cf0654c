import { GitCommitVertical } from 'lucide-react'
import type { Environment } from '../configs/environments.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import type { ProofSummary } from '../proofs/describe-proof.ts'
import { ProofLink } from '../proofs/proof-link.tsx'
import { useProofsOf } from '../proofs/use-proofs.ts'
import { describeKeyMove, describeVersion, type Version } from './describe-version.ts'
import type { HistorySearch } from './search.ts'
import { useVersions } from './use-versions.ts'

interface VersionTableProps {
  readonly schema: ConfigSchema
  readonly environments: readonly Environment[]
  readonly search: HistorySearch
  readonly onSearch: (change: HistorySearch) => void
}

/** Lists the versions, newest first. Two selected ones are compared; one of each environment is restored. */
export function VersionTable({ schema, environments, search, onSearch }: VersionTableProps) {
  const { environment, key } = search
  const versions = useVersions(schema, search)
  const proofs = useProofsOf(versions.data ?? [], { schema: schema.id, environment })
  const names = new Map(environments.map(({ id, name }) => [id, name]))
  const chosen = search.chosen ?? []
  const choose = (id: string, isChosen: boolean) =>
    onSearch({ chosen: isChosen ? [...chosen, id] : chosen.filter((one) => one !== id) })

  return (
    <Loaded query={versions}>
      {(all) =>
        all.length === 0 ? (
          <NoVersions
            isFiltered={environment !== undefined || key !== undefined}
            onSearch={onSearch}
          />
        ) : (
          <div className="min-w-0 overflow-x-auto rounded-lg border border-line bg-panel">
            <Table
              columns={[
                { title: 'Chosen', kind: 'choice' },
                { title: 'Version', className: 'pl-7' },
                'Changed',
                'Why',
                'Who',
                'When',
              ]}
            >
              {all.map((version) => (
                <VersionRow
                  key={version.id}
                  version={version}
                  proof={proofs.get(version.id)}
                  environment={names.get(version.environmentId) ?? 'a deleted environment'}
                  onlyKey={key}
                  isChosen={chosen.includes(version.id)}
                  onChoose={(isChosen) => choose(version.id, isChosen)}
                  onOpen={() => onSearch({ version: version.id, against: undefined })}
                />
              ))}
            </Table>
            <MoreButton list={versions} />
          </div>
        )
      }
    </Loaded>
  )
}

interface VersionRowProps {
  readonly version: Version
  readonly proof: ProofSummary | undefined
  readonly environment: string
  readonly onlyKey: string | undefined
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
  readonly onOpen: () => void
}

/** Names the origin of a version, unless it was a save. */
const kinds: Readonly<Record<Version['kind'], string | undefined>> = {
  write: undefined,
  restore: 'restored',
  promote: 'promoted',
  schema: 'schema',
  inherited: 'inherited',
  renamed: 'renamed',
  segment: 'segment',
}

function VersionRow({
  version,
  proof,
  environment,
  onlyKey,
  isChosen,
  onChoose,
  onOpen,
}: VersionRowProps) {
  const name = `${environment} version ${version.version}`
  const kind = kinds[version.kind]
  return (
    <Row>
      <Cell className="sm:w-0 sm:!pr-0">
        <label className="flex size-7 items-center justify-center">
          <input
            type="checkbox"
            aria-label={`Choose ${name}`}
            className="size-5 accent-accent"
            checked={isChosen}
            onChange={({ target }) => onChoose(target.checked)}
          />
        </label>
      </Cell>
      <Cell className="sm:whitespace-nowrap">
        <span className="flex items-center gap-2 max-sm:flex-wrap">
          <Button variant="quiet" title="Changes" onClick={onOpen}>
            <span className="max-w-56 truncate" title={environment}>
              {environment}
            </span>{' '}
            <span className="font-mono whitespace-nowrap">v{version.version}</span>
          </Button>
          {kind !== undefined && <Badge>{kind}</Badge>}
        </span>
        {proof && (
          <span className="flex pl-3 text-sm">
            <ProofLink proof={proof} isShort />
          </span>
        )}
      </Cell>
      <Cell className="sm:max-w-72 xl:max-w-md">
        <ChangedKeys lines={toLines(version, onlyKey)} />
      </Cell>
      <Cell className="sm:max-w-64">
        {version.comment !== null && (
          <span className="block text-muted sm:truncate" title={version.comment}>
            {version.comment}
          </span>
        )}
      </Cell>
      <Cell className="sm:max-w-40">
        <span className="block sm:truncate">{version.author.name}</span>
      </Cell>
      <Cell>
        <Age at={version.createdAt} />
      </Cell>
    </Row>
  )
}

/** Lists what was changed. On a desk each key has one line, filled to its end however long the value is. */
function ChangedKeys({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className="font-mono text-sm">
      {lines.map((line) => (
        <li
          key={line}
          title={line}
          className="line-clamp-6 wrap-anywhere sm:line-clamp-1 sm:break-all"
        >
          {line}
        </li>
      ))}
    </ul>
  )
}

/** Returns what a version changed, or what became of the key whose history is listed. */
function toLines(version: Version, onlyKey: string | undefined): readonly string[] {
  const [change] = version.changes
  return onlyKey === undefined || change === undefined
    ? describeVersion(version)
    : [describeKeyMove(change)]
}

interface NoVersionsProps {
  readonly isFiltered: boolean
  readonly onSearch: (change: HistorySearch) => void
}

function NoVersions({ isFiltered, onSearch }: NoVersionsProps) {
  if (isFiltered) {
    return (
      <EmptyState
        title="Nothing matches"
        action={
          <Button onClick={() => onSearch({ environment: undefined, key: undefined })}>
            Show all versions
          </Button>
        }
      >
        No saved version matches these filters.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={GitCommitVertical}
      title="Nothing was saved yet"
      action={
        <PageLink to={{ page: 'config' }} className={buttonClass('plain')}>
          Set a value
        </PageLink>
      }
    >
      Every save appears here, with its author, its changes and a button to restore it.
      <p className="mt-2">
        <DocsLink page="configuration#restoring-and-promoting">How to restore and promote</DocsLink>
      </p>
    </EmptyState>
  )
}
