import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useEnvironments, type Environment } from '../configs/environments.ts'
import { SchemaPicker, WithSchema, type ConfigSchema } from '../configs/schema-picker.tsx'
import { Button } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ProofDrawer } from '../proofs/proof-drawer.tsx'
import { RestoreDrawer } from './restore-drawer.tsx'
import { readHistorySearch, type HistorySearch } from './search.ts'
import { VersionDrawer } from './version-drawer.tsx'
import { useVersions } from './use-versions.ts'
import { VersionTable } from './version-table.tsx'
import { EnvironmentFilter } from '../configs/environment-filter.tsx'

const title = 'History'

/** Shows every version with its changes, and restores earlier values. */
export function HistoryScreen() {
  const { schema } = useSearch({ from: '/$org/history' })
  return (
    <WithSchema chosen={schema} title={<Page title={title}>{null}</Page>}>
      {(chosen, schemas) => <SchemaHistory schema={chosen} schemas={schemas} />}
    </WithSchema>
  )
}

interface SchemaHistoryProps {
  readonly schema: ConfigSchema
  readonly schemas: readonly ConfigSchema[]
}

function SchemaHistory({ schema, schemas }: SchemaHistoryProps) {
  const search = useSearch({ from: '/$org/history' })
  const navigate = useNavigate({ from: '/$org/history' })
  const environments = useEnvironments()
  const onSearch = useCallback(
    (change: HistorySearch) =>
      void navigate({
        search: (before) => readHistorySearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  )
  return (
    <Page
      title={title}
      beside={
        <SchemaPicker
          schemas={schemas}
          schemaId={schema.id}
          onPick={(id) => onSearch({ schema: id, key: undefined, chosen: undefined })}
        />
      }
      actions={<Actions schema={schema} search={search} onSearch={onSearch} />}
    >
      <Loaded query={environments}>
        {(all) => (
          <>
            <HistoryFilters
              schema={schema}
              environments={all}
              search={search}
              onSearch={onSearch}
            />
            <VersionTable schema={schema} environments={all} search={search} onSearch={onSearch} />
            <Drawers schema={schema} environments={all} search={search} onSearch={onSearch} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface ActionsProps {
  readonly schema: ConfigSchema
  readonly search: HistorySearch
  readonly onSearch: (change: HistorySearch) => void
}

function Actions({ schema, search, onSearch }: ActionsProps) {
  const { may } = useOrganization()
  const { data: versions = [] } = useVersions(schema, search)
  const chosen = search.chosen ?? []
  const chosenVersions = versions.filter(({ id }) => chosen.includes(id))
  const isAmbiguous =
    new Set(chosenVersions.map(({ environmentId }) => environmentId)).size < chosenVersions.length
  const mayRestore = chosenVersions.every((version) => may('writeValues', version))
  const [one, other] = chosen
  return (
    <>
      {one !== undefined && other !== undefined && chosen.length === 2 && (
        <Button onClick={() => onSearch({ version: one, against: other })}>Compare</Button>
      )}
      {mayRestore && chosen.length > 0 && (
        <Button
          disabled={isAmbiguous}
          title={isAmbiguous ? 'Choose one version per environment.' : undefined}
          onClick={() => onSearch({ panel: 'restore', keys: undefined })}
        >
          Restore {chosen.length === 1 ? '1 version' : `${chosen.length} versions`}
        </Button>
      )}
    </>
  )
}

interface DrawersProps extends ActionsProps {
  readonly environments: readonly Environment[]
}

/** Renders the drawer that the address names. */
function Drawers({ schema, environments, search, onSearch }: DrawersProps) {
  const { may } = useOrganization()
  const chosen = search.chosen ?? []
  const mayRestore = may('writeValues', { schemaId: schema.id })
  return (
    <>
      {search.proof !== undefined && (
        <ProofDrawer
          key={search.proof}
          proofId={search.proof}
          onClose={() => onSearch({ proof: undefined })}
        />
      )}
      {search.version !== undefined && search.proof === undefined && (
        <VersionDrawer
          versionId={search.version}
          against={search.against}
          environments={environments}
          onRestore={(id, keys) =>
            onSearch({
              version: undefined,
              against: undefined,
              chosen: [id],
              keys,
              panel: 'restore',
            })
          }
          onClose={() => onSearch({ version: undefined, against: undefined })}
        />
      )}
      {search.panel === 'restore' && chosen.length > 0 && mayRestore && (
        <RestoreDrawer
          versionIds={chosen}
          keys={search.keys}
          environments={environments}
          onDone={() => onSearch({ panel: undefined, chosen: undefined, keys: undefined })}
          onClose={() => onSearch({ panel: undefined, keys: undefined })}
        />
      )}
    </>
  )
}

interface HistoryFiltersProps {
  readonly schema: ConfigSchema
  readonly environments: readonly Environment[]
  readonly search: HistorySearch
  readonly onSearch: (change: HistorySearch) => void
}

/** Filters the history by environment and by key. */
function HistoryFilters({ schema, environments, search, onSearch }: HistoryFiltersProps) {
  const keys = Object.keys(schema.schema)
  // A key that the schema has lost still has a history.
  const all = search.key === undefined || keys.includes(search.key) ? keys : [search.key, ...keys]
  return (
    <div className="flex flex-wrap gap-2">
      <EnvironmentFilter
        environments={environments}
        value={search.environment}
        onPick={(environment) => onSearch({ environment })}
      />
      <select
        aria-label="Key"
        className="control w-auto max-w-72"
        value={search.key ?? ''}
        onChange={({ target }) => onSearch({ key: target.value === '' ? undefined : target.value })}
      >
        <option value="">All keys</option>
        {all.map((key) => (
          <option key={key}>{key}</option>
        ))}
      </select>
    </div>
  )
}
