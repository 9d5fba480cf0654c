import { useNavigate, useSearch } from '@tanstack/react-router'
import { HeartPulse, Plus } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useList, useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { useOrganization, wholeEnvironment } from '../../session/organization.ts'
import { PageLink } from '../../session/page-link.tsx'
import type { Signal } from '../proofs/use-signals.ts'
import { Created } from '../made-by.tsx'
import { describeSignal } from './describe-signal.ts'
import { ReadingText } from './reading-text.tsx'
import type { SignalsSearch } from './search.ts'
import { SignalAddress } from './signal-address.tsx'
import { ChangeSignalDialog, CreateSignalDialog } from './signal-dialog.tsx'
import { TestSignalDialog } from './test-signal-dialog.tsx'

/** Shows the signals: what says whether a change does harm. */
export function SignalsScreen() {
  const { can } = useOrganization()
  const signals = useList('GET /organizations/{org_id}/signals', { query: { limit: 100 } })
  const search = useSearch({ from: '/$org/signals' })
  const navigate = useNavigate({ from: '/$org/signals' })
  const open = (next: SignalsSearch) => void navigate({ search: next, replace: true })
  const chosen = signals.data?.find(({ id }) => id === search.signal)
  const create = can('admin') && (
    <Button variant="primary" icon={Plus} onClick={() => open({ signal: 'new' })}>
      New signal
    </Button>
  )
  return (
    <Page title="Signals" actions={create}>
      <p className="max-w-3xl text-muted">
        Signals say whether a change does harm. An environment can watch every change by them, and a
        bad one takes the change back. <DocsLink page="proofs">How proofs work</DocsLink>
      </p>
      <Panel title="Signals" flush>
        <Loaded query={signals}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={HeartPulse} title="No signals yet" action={create}>
                A signal is an alert, a test run, a query of Prometheus or a page. Once there is
                one, changes can be watched.
              </EmptyState>
            ) : (
              <Table columns={['Signal', 'Last reading', 'Used by', can('admin') && rowActions]}>
                {items.map((signal) => (
                  <SignalRow key={signal.id} signal={signal} onOpen={open} />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={signals} />
      </Panel>
      {can('admin') && search.signal === 'new' && <CreateSignalDialog onClose={() => open({})} />}
      {can('admin') && chosen && (
        <OpenedSignal signal={chosen} panel={search.panel} onClose={() => open({})} />
      )}
    </Page>
  )
}

interface SignalRowProps {
  readonly signal: Signal
  readonly onOpen: (next: SignalsSearch) => void
}

function SignalRow({ signal, onOpen }: SignalRowProps) {
  const { can } = useOrganization()
  const { id, name, address, spec, last, usedBy } = signal
  const item = (label: string, panel: NonNullable<SignalsSearch['panel']>) => ({
    label,
    danger: panel === 'delete',
    onSelect: () => onOpen({ signal: id, panel }),
  })
  const hasSecret = spec?.kind === 'alert' && spec.format === undefined
  return (
    <Row>
      <Cell>
        <div className="min-w-32 font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </div>
        <div className="line-clamp-3 text-sm wrap-anywhere text-muted">
          {describeSignal(signal)}
        </div>
        <div className="text-sm wrap-anywhere text-muted">
          <Created {...signal} />
        </div>
      </Cell>
      <Cell>
        {last === null ? (
          <span className="text-muted">none yet</span>
        ) : (
          <ReadingText reading={last} />
        )}
      </Cell>
      <Cell>
        <UsedBy usedBy={usedBy} />
      </Cell>
      {can('admin') && (
        <Cell className="text-right whitespace-nowrap">
          <Button
            variant="quiet"
            aria-label={`Test ${name}`}
            onClick={() => onOpen({ signal: id, panel: 'test' })}
          >
            Test
          </Button>
          <RowMenu
            label={`Actions for ${name}`}
            items={[
              item('Change', 'change'),
              ...(address === null ? [] : [item('How to send alerts', 'address')]),
              ...(hasSecret ? [item('New secret', 'secret')] : []),
              item('Delete', 'delete'),
            ]}
          />
        </Cell>
      )}
    </Row>
  )
}

/** Links to the environments whose policy names a signal. */
function UsedBy({ usedBy }: Pick<Signal, 'usedBy'>) {
  const { may } = useOrganization()
  if (usedBy.length === 0) return <span className="text-muted">no environment</span>
  return (
    <ul>
      {usedBy.map(({ environmentId, environment }) => (
        <li key={environmentId}>
          <PageLink
            to={{
              page: 'environments',
              search: {
                environment: environmentId,
                ...(may('manageEnvironments', wholeEnvironment(environmentId)) && {
                  panel: 'edit',
                }),
              },
            }}
          >
            <bdi>{environment}</bdi>
          </PageLink>
        </li>
      ))}
    </ul>
  )
}

interface SignalDialogProps {
  readonly signal: Signal
  readonly onClose: () => void
}

interface OpenedSignalProps extends SignalDialogProps {
  readonly panel: SignalsSearch['panel']
}

/** Renders the dialog of a signal that the address names. */
function OpenedSignal({ panel, ...dialog }: OpenedSignalProps) {
  if (panel === 'change') return <ChangeSignalDialog {...dialog} />
  if (panel === 'test') return <TestSignalDialog {...dialog} />
  if (panel === 'address') return <SignalAddress {...dialog} secret={null} />
  if (panel === 'secret') return <NewSecretDialog {...dialog} />
  return panel === 'delete' ? <DeleteSignalDialog {...dialog} /> : null
}

/** Replaces the secret of an address, and shows the new one once. */
function NewSecretDialog({ signal, onClose }: SignalDialogProps) {
  const route = 'PATCH /organizations/{org_id}/signals/{signal_id}'
  const update = useWrite(route)
  const [updated, setUpdated] = useState<AnswerOf<typeof route>>()
  if (updated !== undefined)
    return <SignalAddress signal={updated} secret={updated.secret} onClose={onClose} />
  return (
    <ConfirmDialog
      title={`New secret for ${signal.name}?`}
      action="Make a new secret"
      write={update}
      onConfirm={() =>
        update.mutate({
          params: { signal_id: signal.id },
          body: { newSecret: true },
          ifMatch: signal.revision,
          onSuccess: setUpdated,
        })
      }
      onClose={onClose}
    >
      Signalbox refuses alerts with the secret of now from then on. Enter the new one where they are
      sent from.
    </ConfirmDialog>
  )
}

/** Deletes a signal, unless the policy of an environment names it. */
function DeleteSignalDialog({ signal, onClose }: SignalDialogProps) {
  const remove = useWrite('DELETE /organizations/{org_id}/signals/{signal_id}')
  const { id, name, usedBy, revision } = signal
  if (usedBy.length > 0) {
    return (
      <Dialog title={`${name} is in use`} onClose={onClose}>
        <div className="flex flex-col gap-2">
          <p>These environments watch every change by it. Take it out of their policy first:</p>
          <UsedBy usedBy={usedBy} />
        </div>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete signal"
      write={remove}
      onConfirm={() =>
        remove.mutate({ params: { signal_id: id }, ifMatch: revision, onSuccess: onClose })
      }
      onClose={onClose}
    >
      Changes that are watched by it now go on without it. You can’t undo this.
    </ConfirmDialog>
  )
}
