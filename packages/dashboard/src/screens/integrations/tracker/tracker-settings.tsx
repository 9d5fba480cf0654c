import { useNavigate, useSearch } from '@tanstack/react-router'
import { RefreshCw, X } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../../api/routes.ts'
import { useList, useWrite } from '../../../api/use-api.ts'
import { Button, IconButton } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { explainLack, useLack } from '../../../session/use-capability.ts'
import { Segments } from '../../../components/tabs.tsx'
import { Combobox } from '../../../components/combobox.tsx'
import { offerOptions } from '../../../components/offer-options.ts'
import { useDebounced } from '../../../browser/use-debounced.ts'
import { describeIssueSync } from '../../deployments/sync/describe-sync.ts'
import { SyncLine } from '../../deployments/sync/sync-line.tsx'
import { useIssueSync } from '../../deployments/sync/use-sync.ts'
import { isUsable } from '../integration.ts'

type Tracker = AnswerOf<'GET /organizations/{org_id}/integrations/tracker'>

/** Shows the site of the tracker, and the projects whose issues count. */
export function TrackerSettings({ status }: { readonly status: Tracker }) {
  const { site, sites, projectKeys, state, displayName } = status
  if (site === null) return <SitePanel sites={sites} />
  return (
    <>
      {isUsable(state) && <IssuesPanel tracker={displayName} />}
      <ProjectsPanel projectKeys={projectKeys} />
    </>
  )
}

/** Renders the choice of a site, when the grant reaches several. */
function SitePanel({ sites }: { readonly sites: Tracker['sites'] }) {
  const { can } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/integrations/tracker')
  return (
    <Panel title="Choose the site">
      <FormProblem problem={update.error} />
      <ul className="flex flex-col gap-2">
        {sites.map(({ id, name, url }) => (
          <li key={id} className="flex items-center justify-between gap-4">
            <span className="min-w-0 break-words">
              <span className="font-medium">{name}</span> <span className="text-muted">{url}</span>
            </span>
            <Button
              disabled={!can('admin')}
              pending={update.isPending}
              onClick={() => update.mutate({ body: { siteId: id } })}
            >
              Use it
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const from = '/$org/integrations/$kind'

/** Says when issues are read, and reads them now. `tracker`: the name of the provider. */
function IssuesPanel({ tracker }: { readonly tracker: string }) {
  const { can } = useOrganization()
  const { sync: syncId } = useSearch({ from })
  const navigate = useNavigate({ from })
  const follow = (sync: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, sync }), replace: true })
  const { sync, problem, isPending, start } = useIssueSync({ syncId, onStarted: follow })
  const lack = useLack('tracker', 'readIssues')
  const maySync = can('developer') && lack === undefined
  return (
    <Panel
      title="Issues"
      actions={
        maySync && (
          <Button icon={RefreshCw} pending={isPending} onClick={start}>
            Sync now
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <p className="max-w-2xl text-muted">
          {lack === undefined
            ? `Signalbox reads an issue from ${tracker} when a deployment names it, and again every six hours.`
            : explainLack(lack)}
          {maySync && ' Sync now to read the issues of recent deployments immediately.'}
        </p>
        <FormProblem problem={problem} />
        {sync !== undefined && (
          <SyncLine
            state={sync.state}
            sentence={describeIssueSync(sync, tracker)}
            parts={[{ name: 'Issues', ...sync.issues }]}
            onClose={() => follow(undefined)}
          />
        )}
      </div>
    </Panel>
  )
}

interface ProjectsPanelProps {
  /** Lists the keys of the projects. `null`: every project. */
  readonly projectKeys: readonly string[] | null
}

const choices = [
  { value: 'all', label: 'All projects' },
  { value: 'some', label: 'Selected only' },
] as const

/** Shows the projects whose issue keys count. Keys of other projects are ignored and reported. */
function ProjectsPanel({ projectKeys }: ProjectsPanelProps) {
  const { can } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/integrations/tracker')
  const [isChoosing, setChoosing] = useState(projectKeys !== null)
  const lack = useLack('tracker', 'readIssues')
  const chosen = projectKeys ?? []
  const save = (keys: readonly string[] | null) =>
    update.mutate({ body: { projectKeys: keys === null ? null : [...keys] } })

  return (
    <Panel
      title="Tracked projects"
      actions={
        can('admin') && (
          <Segments
            label="Projects"
            options={choices}
            value={isChoosing ? 'some' : 'all'}
            onChange={(choice) => {
              setChoosing(choice === 'some')
              if (choice === 'all') save(null)
            }}
          />
        )
      }
    >
      <div className="flex max-w-xl flex-col gap-3">
        <FormProblem problem={update.error} />
        {projectKeys === null && (
          <p className="text-muted">
            Signalbox looks up keys of every project, including projects created later.
          </p>
        )}
        {chosen.length > 0 && (
          <ul className="flex flex-wrap gap-2" aria-label="Tracked projects">
            {chosen.map((key) => (
              <li
                key={key}
                className="inline-flex items-center gap-1 rounded-md border border-line pl-2.5"
              >
                <span className="font-mono text-sm">{key}</span>
                {can('admin') && (
                  <IconButton
                    label={`Stop tracking ${key}`}
                    icon={X}
                    onClick={() => save(chosen.filter((one) => one !== key))}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        {isChoosing && lack !== undefined && <p className="text-muted">{explainLack(lack)}</p>}
        {isChoosing && lack === undefined && can('admin') && (
          <ProjectSearch chosen={chosen} onChoose={(key) => save([...chosen, key])} />
        )}
      </div>
    </Panel>
  )
}

interface ProjectSearchProps {
  /** Lists the keys of the projects to leave out. */
  readonly chosen: readonly string[]
  readonly onChoose: (key: string) => void
}

/** Searches the projects of the tracker's site. */
function ProjectSearch({ chosen, onChoose }: ProjectSearchProps) {
  const [query, setQuery] = useState('')
  const settled = useDebounced(query.trim())
  const projects = useList('GET /organizations/{org_id}/integrations/tracker/projects', {
    query: { ...(settled !== '' && { query: settled }) },
  })
  const typed = query.trim().toLowerCase()
  const options = offerOptions({
    results: projects.data?.filter(({ key }) => !chosen.includes(key)),
    isOld: settled !== query.trim() || projects.isPlaceholderData,
    fits: ({ key, name }) => `${key} ${name}`.toLowerCase().includes(typed),
  })
  const hasChosenAll =
    typed === '' &&
    projects.data !== undefined &&
    projects.data.length > 0 &&
    !projects.hasNextPage &&
    options?.length === 0
  return (
    <>
      <FormProblem problem={projects.error} />
      <Combobox
        label="Add a project"
        placeholder="Search by key or name"
        query={query}
        onQuery={setQuery}
        options={options}
        keyOf={({ key }) => key}
        render={({ key, name }) => (
          <>
            <span className="font-mono text-sm">{key}</span>
            <span className="min-w-0 truncate text-muted">{name}</span>
          </>
        )}
        onChoose={({ key }) => {
          setQuery('')
          onChoose(key)
        }}
        status={hasChosenAll ? 'All projects are chosen.' : undefined}
        footer={projects.hasNextPage ? 'The list is longer. Type to search.' : undefined}
      />
    </>
  )
}
