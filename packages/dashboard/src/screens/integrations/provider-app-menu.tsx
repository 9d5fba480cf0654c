import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { showToast } from '../../components/toasts.tsx'
import { canRegister, type ProviderApp } from './provider-app.ts'

interface ProviderAppMenuProps {
  readonly app: ProviderApp
  /** Opens the form for an application that exists at the provider already. */
  readonly onEnter: () => void
}

/** Renders the menu that enters an existing application, ends the replaced secret of an application, or deletes its stored credentials. */
export function ProviderAppMenu({ app, onEnter }: ProviderAppMenuProps) {
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
        end.mutate(
          { params: { provider } },
          {
            onSuccess: () => {
              showToast({ text: `The old secret of ${name} has ended.` })
              onClose()
            },
          },
        )
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
        forget.mutate(
          { params: { provider } },
          {
            onSuccess: () => {
              showToast({ text: `Deleted the ${name} application.` })
              onClose()
            },
          },
        )
      }
    >
      {source === 'stored'
        ? `Every integration that uses it stops working, in every organization of this server.${setUpAdvice === null ? ` The application stays registered at ${name}: delete it there too.` : ''}`
        : 'This deletes the stored application. The one from the server’s settings stays in use.'}
    </ConfirmDialog>
  )
}
