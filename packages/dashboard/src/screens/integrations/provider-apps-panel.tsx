import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Badge, LetterTile } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { Loaded } from '../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { showToast } from '../../components/toasts.tsx'
import { MadeBy } from '../made-by.tsx'
import { ProviderAppDialog } from './provider-app-dialog.tsx'
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
          <Table columns={['Provider', 'State', 'ID or address', rowActions]}>
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

interface ProviderAppMenuProps {
  readonly app: ProviderApp
  /** Opens the form for an application that exists at the provider already. */
  readonly onEnter: () => void
}

/** Renders the menu that enters an existing application, ends the replaced secret of an application, or deletes its stored credentials. */
function ProviderAppMenu({ app, onEnter }: ProviderAppMenuProps) {
  const [open, setOpen] = useState<'former' | 'forget'>()
  const close = () => setOpen(undefined)
  const endFormer = { label: 'End the old secret', onSelect: () => setOpen('former') }
  const enter = { label: `Enter an existing ${app.displayName} App`, onSelect: onEnter }
  const forget = { label: 'Delete', danger: true, onSelect: () => setOpen('forget') }
  return (
    <>
      <RowMenu
        label={`Actions for ${app.displayName}`}
        items={[
          ...(canRegister(app) && app.source !== 'settings' ? [enter] : []),
          ...(app.previousSecretUntil === null ? [] : [endFormer]),
          ...(app.isStored ? [forget] : []),
        ]}
      />
      {open === 'former' && <EndFormerSecret app={app} onClose={close} />}
      {open === 'forget' && <ForgetApp app={app} onClose={close} />}
    </>
  )
}

interface EndProps {
  readonly app: ProviderApp
  readonly onClose: () => void
}

function EndFormerSecret({ app: { provider, displayName: name }, onClose }: EndProps) {
  const end = useWrite('DELETE /server/provider-apps/{provider}/previous-secret')
  return (
    <ConfirmDialog
      title={`End the old secret of ${name}?`}
      action="End the old secret"
      write={end}
      onClose={onClose}
      onConfirm={() =>
        end.mutate({
          params: { provider },
          onSuccess: () => {
            showToast({ text: `The old secret of ${name} has ended.` })
            onClose()
          },
        })
      }
    >
      Webhooks that {name} still signs with it are refused from now on. Do it once {name} has the
      new one.
    </ConfirmDialog>
  )
}

function ForgetApp({ app, onClose }: EndProps) {
  const { provider, displayName: name, source, setUpAdvice } = app
  const forget = useWrite('DELETE /server/provider-apps/{provider}')
  return (
    <ConfirmDialog
      title={`Delete the ${name} application?`}
      action="Delete the application"
      typed={source === 'stored' ? name : undefined}
      write={forget}
      onClose={onClose}
      onConfirm={() =>
        forget.mutate({
          params: { provider },
          onSuccess: () => {
            showToast({ text: `Deleted the ${name} application.` })
            onClose()
          },
        })
      }
    >
      {source === 'stored'
        ? `Every integration that uses it stops working, in every organization of this server.${setUpAdvice === null ? ` The application stays registered at ${name}: delete it there too.` : ''}`
        : 'This deletes the stored application. The one from the server’s settings stays in use.'}
    </ConfirmDialog>
  )
}
