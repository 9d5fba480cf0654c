import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Badge, LetterTile } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { MadeBy } from '../made-by.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { ProviderAppDialog } from './provider-app-dialog.tsx'
import { ProviderAppMenu } from './provider-app-menu.tsx'
import { canRegister, identityOf, type ProviderApp } from './provider-app.ts'
import type { IntegrationsSearch } from './search.ts'

const sources = {
  settings: 'from the server’s settings',
  stored: 'stored here, encrypted',
} as const

/** Shows the operator the applications of this server at the providers. */
export function ProviderAppsPanel() {
  const apps = useRead('GET /server/provider-apps')
  const { app: open } = useSearch({ from: '/$org/integrations' })
  const navigate = useNavigate({ from: '/$org/integrations' })
  const show = (next: IntegrationsSearch) => void navigate({ search: next, replace: true })
  // The server's settings override the stored values, so an edit here would have no effect.
  const chosen = apps.data?.items.find(
    ({ provider, source }) => provider === open && source !== 'settings',
  )
  return (
    <Panel title="Applications of this server" flush>
      <Loaded query={apps}>
        {({ items }) => (
          <Table
            columns={['Provider', 'State', 'ID or address', { title: 'Actions', kind: 'actions' }]}
          >
            {items.map((app) => (
              <Row key={app.provider}>
                <Cell className="font-medium">
                  <span className="inline-flex items-center gap-2">
                    <LetterTile {...app.icon} />
                    {app.displayName}
                  </span>
                </Cell>
                <Cell>
                  {app.isSetUp ? <Badge tone="ok">Set up</Badge> : <Badge>Not set up</Badge>}{' '}
                  <span className="text-muted">{app.source !== null && sources[app.source]}</span>
                  {app.updatedBy !== null && (
                    <div className="text-sm text-muted">
                      changed by <MadeBy by={app.updatedBy} credential={app.updatedWith} />
                    </div>
                  )}
                  {app.previousSecretUntil !== null && (
                    <div className="text-sm text-muted">
                      old webhook secret ends <Age at={app.previousSecretUntil} />
                    </div>
                  )}
                </Cell>
                <Cell className="font-mono text-sm break-all">{identityOf(app) ?? '–'}</Cell>
                <Cell>
                  <div className="flex items-center justify-end gap-2">
                    <SetUpButton app={app} onEnter={() => show({ app: app.provider })} />
                    {/* The width of a menu, so that the buttons stand below each other where one has none. */}
                    <span className="w-7 shrink-0">
                      <ProviderAppMenu app={app} onEnter={() => show({ app: app.provider })} />
                    </span>
                  </div>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Loaded>
      {chosen !== undefined && <ProviderAppDialog app={chosen} onClose={() => show({})} />}
    </Panel>
  )
}

interface SetUpButtonProps {
  readonly app: ProviderApp
  /** Opens the form for an application that exists at the provider already. */
  readonly onEnter: () => void
}

/** Renders the shortest way to set the application up, or to change it. Another way is in the menu. */
function SetUpButton({ app, onEnter }: SetUpButtonProps) {
  if (canRegister(app)) {
    return (
      <a href={app.setupUrl ?? ''} className={buttonClass()}>
        Set up
      </a>
    )
  }
  if (app.source === 'settings') return null
  return <Button onClick={onEnter}>{app.isSetUp ? 'Change' : 'Set up'}</Button>
}
