import { FolderGit2 } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../../api/use-api.ts'
import { buttonClass } from '../../../components/button.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { Panel } from '../../../components/panel.tsx'
import { EmptyState, FormProblem } from '../../../components/states.tsx'
import { Switch } from '../../../components/switch.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { useProviderName } from '../../../session/use-provider-name.ts'
import type { Codehost } from './codehost.ts'

interface RepositoriesPanelProps {
  readonly repositories: Codehost['repositories']
  /** Holds the address of the account at the code host that has given access to repositories. */
  readonly accountUrl: string | null
}

/** Shows the repositories that the integration can access, and those that are tracked. */
export function RepositoriesPanel({ repositories, accountUrl }: RepositoriesPanelProps) {
  const { can } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/integrations/codehost')
  const [query, setQuery] = useState('')
  const matching = repositories.filter(({ fullName }) =>
    fullName.toLowerCase().includes(query.trim().toLowerCase()),
  )
  const tracked = repositories.filter((one) => one.tracked).length
  return (
    <Panel
      title="Repositories"
      flush
      actions={
        <span className="text-muted">
          {tracked} of {repositories.length} tracked
        </span>
      }
    >
      <FormProblem problem={update.error} />
      {repositories.length > 8 && (
        <div className="border-b border-line p-3">
          <input
            className="control"
            aria-label="Filter repositories"
            placeholder="Filter repositories"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
        </div>
      )}
      {repositories.length === 0 ? (
        <NoRepositories accountUrl={accountUrl} />
      ) : (
        <ul className="max-h-96 overflow-y-auto">
          {matching.map(({ id, fullName, defaultBranch, url, tracked }) => (
            <li
              key={id}
              className="flex items-center justify-between gap-4 border-b border-line px-4 py-2 last:border-b-0"
            >
              <span className="min-w-0 wrap-anywhere">
                <OutsideLink href={url}>
                  <bdi>{fullName}</bdi>
                </OutsideLink>{' '}
                <bdi className="text-muted">{defaultBranch}</bdi>
              </span>
              <Switch
                label={`Track ${fullName}`}
                checked={tracked}
                disabled={!can('admin') || update.isPending}
                onChange={(tracked) => update.mutate({ body: { repositories: [{ id, tracked }] } })}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function NoRepositories({ accountUrl }: Pick<RepositoriesPanelProps, 'accountUrl'>) {
  const hostName = useProviderName('codehost')
  return (
    <EmptyState
      icon={FolderGit2}
      title="Signalbox has no repositories"
      action={
        accountUrl !== null && (
          <OutsideLink href={accountUrl} className={buttonClass('plain')}>
            Open the account at {hostName}
          </OutsideLink>
        )
      }
    >
      Give Signalbox access to repositories at {hostName}. They appear here soon after, or with the
      next sync.
    </EmptyState>
  )
}
