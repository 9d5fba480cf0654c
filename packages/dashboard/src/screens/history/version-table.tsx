import { describeFlagMove, describeMovedSource } from '@signalbox/contract'
import { GitCommitVertical } from 'lucide-react'
import type { ItemOf } from '../../api/routes.ts'
import type { Environment } from '../configs/environments.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { toValueText } from '../configs/matrix.ts'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import type { HistoryChange, HistorySearch } from './search.ts'
import { useVersions } from './use-versions.ts'

type Version = ItemOf<'GET /organizations/{org_id}/config-versions'>

interface VersionTableProps {
  readonly schema: ConfigSchema
  readonly environments: readonly Environment[]
  readonly search: HistorySearch
  readonly onSearch: (change: HistoryChange) => void
}

/** Lists the versions, newest first. Two selected ones are compared; one of each environment is restored. */
export function VersionTable({ schema, environments, search, onSearch }: VersionTableProps) {
  const { environment, key } = search
  const versions = useVersions(schema, search)
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
      </Cell>
      <Cell className="sm:max-w-72">
        <span className="line-clamp-6 font-mono text-sm wrap-anywhere sm:line-clamp-1">
          {toSummary(version, onlyKey)}
        </span>
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

/** Describes changes of old versions, which did not record the value that applications keep. */
const unnoticed: Readonly<Record<Version['changes'][number]['change'], string>> = {
  added: 'set here, to the same value',
  changed: 'same value',
  removed: 'no longer set here, same value',
}

/** Returns the changed keys, or the change of the filtered key. */
function toSummary({ changes }: Version, onlyKey: string | undefined): string {
  const [change] = changes
  if (onlyKey !== undefined && change !== undefined) {
    const { before, after, tier } = change
    if (tier === 'secret') return change.change
    if (tier === 'featureFlags') return describeFlagMove(change)
    if (before === undefined && after === undefined) return unnoticed[change.change]
    const toText = (value: typeof before) => (value === undefined ? 'not set' : toValueText(value))
    const moved = describeMovedSource(change, toText(after))
    if (moved !== undefined) return moved
    return `${toText(before)} → ${toText(after)}`
  }
  const keys = changes.slice(0, 3).map(toName)
  return changes.length > 3 ? `${keys.join(', ')} and ${changes.length - 3} more` : keys.join(', ')
}

/** Returns the name of a changed key. A list of all keys has no values, so it says no more of a change than its segments. */
function toName({ key, segments = [] }: Version['changes'][number]): string {
  return segments.length === 0 ? key : `${key} (segment ${segments.join(', ')} changed)`
}

interface NoVersionsProps {
  readonly isFiltered: boolean
  readonly onSearch: (change: HistoryChange) => void
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
