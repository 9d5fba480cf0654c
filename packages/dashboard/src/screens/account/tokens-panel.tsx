import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf, ItemOf } from '../../api/routes.ts'
import { toWrite, useList, useWrite, useWrites } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Loaded } from '../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import { includesRole, useMe } from '../../session/session.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { SecretDialog } from '../../components/secret-once.tsx'
import { managing, toExpiry } from '../keys/key-form.ts'
import { ExpiryField } from '../../shell/expiry-field.tsx'
import { PauseMade, usePauseMade } from '../pause-made.tsx'

type Token = ItemOf<'GET /me/tokens'>

/** Renders the personal access tokens, with which programs act as the person. */
export function TokensPanel() {
  const tokens = useList('GET /me/tokens')
  const [revoked, setRevoked] = useState<Token>()
  const { new: isCreating = false } = useSearch({ from: '/person/account' })
  const navigate = useNavigate({ from: '/account' })
  const setCreating = (isOpen: boolean) =>
    void navigate({ search: isOpen ? { new: true } : {}, replace: true })
  return (
    <Panel
      title="Personal access tokens"
      flush
      actions={
        <Button icon={Plus} onClick={() => setCreating(true)}>
          New token
        </Button>
      }
    >
      <Loaded query={tokens}>
        {(items) =>
          items.length === 0 ? (
            <p className="p-4 text-muted">
              No tokens yet. <code className="font-mono">signalbox login</code> creates its own. An
              assistant gets an agent token instead, on the page API keys of the organization.
            </p>
          ) : (
            <Table columns={['Name', 'Last used', 'Expires', rowActions]}>
              {items.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoked(token)} />
              ))}
            </Table>
          )
        }
      </Loaded>
      <MoreButton list={tokens} />
      {revoked !== undefined && (
        <RevokeTokenDialog token={revoked} onClose={() => setRevoked(undefined)} />
      )}
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </Panel>
  )
}

function TokenRow({ token, onRevoke }: Readonly<{ token: Token; onRevoke: () => void }>) {
  const { name, prefix, manages, lastUsedAt, expiresAt } = token
  return (
    <Row>
      <Cell>
        <div className="min-w-32 font-medium wrap-anywhere">{name}</div>
        <div className="font-mono text-sm text-muted">{prefix}…</div>
        {manages && <Badge tone="warn">{managing.label}</Badge>}
      </Cell>
      <Cell>{lastUsedAt === null ? 'never' : <Age at={lastUsedAt} />}</Cell>
      <Cell>{expiresAt === null ? 'never' : <Age at={expiresAt} />}</Cell>
      <Cell className="text-right">
        <RowMenu
          label={`Actions for ${name}`}
          items={[{ label: 'Revoke', danger: true, onSelect: onRevoke }]}
        />
      </Cell>
    </Row>
  )
}

interface RevokeTokenDialogProps {
  readonly token: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

/** Revokes a personal access token, and pauses what was made with it. */
function RevokeTokenDialog({ token: { id, name }, onClose }: RevokeTokenDialogProps) {
  const me = useMe().data
  const made = usePauseMade({
    organizations: (me?.organizations ?? []).filter(({ role }) => includesRole(role, 'admin')),
    userId: me?.id ?? '',
    token: id,
  })
  const revoke = useWrites()
  const revocation = toWrite('DELETE /me/tokens/{token_id}', { params: { token_id: id } })
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      action="Revoke token"
      write={{ isPending: revoke.isPending || made.query.isLoading, error: revoke.error }}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate([revocation, ...made.writes], () => {
          showToast({ text: `${name} was revoked.` })
          onClose()
        })
      }
    >
      <div className="flex flex-col gap-3">
        <p>Signalbox refuses every request with it immediately. You can’t undo this.</p>
        <PauseMade made={made} maker="with this token" />
      </div>
    </ConfirmDialog>
  )
}

/** Returns how long every organization of the person accepts a token, and says which of them accept no longer one. */
function useTokenLimit() {
  const limits = (useMe().data?.organizations ?? []).flatMap(({ name, tokenDays }) =>
    typeof tokenDays === 'number' ? [{ name, tokenDays }] : [],
  )
  if (limits.length === 0) return {}
  return {
    proposed: Math.min(90, ...limits.map(({ tokenDays }) => tokenDays)),
    help: limits
      .map(
        ({ name, tokenDays }) =>
          `${name} refuses tokens that work for more than ${tokenDays} days.`,
      )
      .join(' '),
  }
}

/** Creates a personal access token, and shows it once. */
function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('POST /me/tokens')
  const [created, setCreated] = useState<AnswerOf<'POST /me/tokens'>>()
  const limit = useTokenLimit()
  const { error } = create

  if (created !== undefined) {
    return (
      <SecretDialog
        heading={`Token ${created.name}`}
        title="Personal access token"
        help={`Shown only once. Treat it like a password: ${created.manages ? 'it can do everything that you can, except create tokens.' : 'it acts as you.'}`}
        secret={created.secret}
        onClose={onClose}
      />
    )
  }
  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const body = {
      name: field('name'),
      manages: new FormData(form).has('manages'),
      expiresAt: toExpiry(field('days'), new Date()),
    }
    create.mutate({ body, onSuccess: setCreated })
  }
  return (
    <FormDialog
      title="New personal access token"
      onClose={onClose}
      write={create}
      fields={['/name']}
      submitLabel="Create token"
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        autoFocus
        help="The program or machine that uses it, such as laptop."
        error={error?.errorOf('/name')}
      />
      <ExpiryField {...limit} />
      <Checkbox name="manages" {...managing} />
    </FormDialog>
  )
}
