import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { ProviderAppDialog } from './provider-app-dialog.tsx'
import { ProviderAppMenu } from './provider-app-menu.tsx'
import { identityOf } from './provider-app.ts'
import type { IntegrationsSearch } from './search.ts'

const sources = {
  settings: 'from the server’s settings',
  stored: 'stored here, sealed',
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
            columns={['Provider', 'State', 'Client ID', { title: 'Actions', kind: 'actions' }]}
          >
            {items.map((app) => (
              <Row key={app.provider}>
                <Cell className="font-medium">{app.displayName}</Cell>
                <Cell>
                  {app.isSetUp ? (
                    <Badge tone="ok">Set up</Badge>
                  ) : (
                    <Badge tone="warn">Not set up</Badge>
                  )}{' '}
                  <span className="text-muted">{app.source !== null && sources[app.source]}</span>
                  {app.previousSecretUntil !== null && (
                    <div className="text-sm text-muted">
                      old webhook secret ends <Age at={app.previousSecretUntil} />
                    </div>
                  )}
                </Cell>
                <Cell className="font-mono text-sm break-all">{identityOf(app) ?? '–'}</Cell>
                <Cell>
                  <div className="flex flex-wrap justify-end gap-2">
                    {app.setupUrl !== null && !app.isSetUp && (
                      <a href={app.setupUrl} className={buttonClass()}>
                        Register in one click
                      </a>
                    )}
                    {app.source !== 'settings' && (
                      <Button onClick={() => show({ app: app.provider })}>
                        {app.isSetUp ? 'Change' : 'Set up'}
                      </Button>
                    )}
                    <ProviderAppMenu app={app} />
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
