import { useNavigate, useSearch } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useList, useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { rowActions, Table } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { AgentTokensPanel } from './agent-tokens-panel.tsx'
import { KeyRow } from './key-row.tsx'
import type { KeysSearch } from './search.ts'
import { NewSecret } from './new-secret.tsx'
import { listPointers, toExpiry } from './key-form.ts'
import { ExpiryField } from '../../shell/expiry-field.tsx'
import { ReachFields } from './reach-fields.tsx'
import { accountPointers } from './service-account-form.ts'
import { ServiceAccountFields } from './service-account-fields.tsx'
import { useKeyAccess } from './use-key-access.ts'

/** Shows the API keys, with which applications and pipelines authenticate. */
export function KeysScreen() {
  const { can } = useOrganization()
  const keys = useList('GET /organizations/{org_id}/api-keys')
  const { new: isNew = false, key: keyId, panel } = useSearch({ from: '/$org/keys' })
  const isCreating = isNew && can('admin')
  const navigate = useNavigate({ from: '/$org/keys' })
  const open = (next: KeysSearch) => void navigate({ search: next, replace: true })
  const create = can('admin') && (
    <Button variant="primary" icon={Plus} onClick={() => open({ new: true })}>
      New key
    </Button>
  )
  return (
    <Page title="API keys" actions={create}>
      <KindsInWords />
      <Panel title="Keys" flush>
        <Loaded query={keys}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={KeyRound} title="No keys yet" action={create}>
                Applications need one to read their configuration.
                <p className="mt-2">
                  <DocsLink page="configuration#access">What each key may do</DocsLink>
                </p>
              </EmptyState>
            ) : (
              <Table columns={['Name', 'Kind', 'Access', 'Last used', 'State', rowActions]}>
                {items.map((key) => (
                  <KeyRow
                    key={key.id}
                    apiKey={key}
                    isNamed={panel === undefined && key.id === keyId}
                    panel={key.id === keyId && panel !== 'agent' ? panel : undefined}
                    onOpen={open}
                  />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={keys} />
      </Panel>
      <AgentTokensPanel
        isCreating={panel === 'agent'}
        onCreating={(isOpen) => open(isOpen ? { panel: 'agent' } : {})}
      />
      {isCreating && <CreateKeyDialog onClose={() => open({})} />}
    </Page>
  )
}

function KindsInWords() {
  return (
    <p className="max-w-3xl text-muted">
      A <strong className="font-semibold text-text">browser key</strong> is safe in a web page: it
      reads only public values and flags. A{' '}
      <strong className="font-semibold text-text">server key</strong> reads everything in its scope,
      including secrets, and may be allowed to write. A{' '}
      <strong className="font-semibold text-text">relay key</strong> feeds a relay. An{' '}
      <strong className="font-semibold text-text">agent token</strong> is for a coding assistant,
      which acts for you and sees no secret.
    </p>
  )
}

type Created = AnswerOf<'POST /organizations/{org_id}/api-keys'>

/** Creates an API key, and shows its secret once. */
function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('POST /organizations/{org_id}/api-keys')
  const [created, setCreated] = useState<Created>()
  const [kind, setKind] = useState<'b2m' | 'm2m' | 'rly'>('b2m')
  const { unselected, unreadable, read } = useKeyAccess()
  const { tokenDays } = useOrganization()
  const { error } = create

  if (created !== undefined) return <NewSecret apiKey={created} onClose={onClose} />
  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const access = read(form, kind)
    if (access === undefined) return
    const expiresAt = toExpiry(field('days'), new Date())
    const { reach, accounts } = access
    const pinned = kind === 'm2m' && accounts.length > 0 && { serviceAccounts: accounts }
    const body = { name: field('name'), kind, ...reach, expiresAt, ...pinned }
    create.mutate({ body, onSuccess: setCreated })
  }
  return (
    <FormDialog
      title="New API key"
      onClose={onClose}
      write={create}
      fields={['/name', ...listPointers(error?.errors), ...accountPointers(error?.errors)]}
      submitLabel="Create key"
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        autoFocus
        help="What uses it, for example ci or web-app."
        error={error?.errorOf('/name')}
      />
      <KindField kind={kind} onChange={setKind} />
      <ReachFields kind={kind} errors={error?.errors} unselected={unselected} />
      {kind === 'm2m' && (
        <ServiceAccountFields accounts={[]} errors={error?.errors} unreadable={unreadable} />
      )}
      <ExpiryField help="The overview reminds you two weeks before." most={tokenDays} />
    </FormDialog>
  )
}

interface KindFieldProps {
  readonly kind: 'b2m' | 'm2m' | 'rly'
  readonly onChange: (kind: 'b2m' | 'm2m' | 'rly') => void
}

function KindField({ kind, onChange }: KindFieldProps) {
  return (
    <RadioGroup
      legend="Kind"
      name="kind"
      value={kind}
      onChange={onChange}
      options={[
        {
          value: 'b2m',
          label: 'Browser key',
          help: 'Reads public values and flags. Safe in a web page.',
        },
        {
          value: 'm2m',
          label: 'Server key',
          help: 'Reads all values, including secrets, and writes if you let it. Keep it on servers and in pipelines.',
        },
        {
          value: 'rly',
          label: 'Relay key',
          help: 'Feeds a relay with the environments that you select. It reads no values directly.',
        },
      ]}
    />
  )
}
