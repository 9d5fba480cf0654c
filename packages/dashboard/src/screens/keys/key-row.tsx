import { useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { NameButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { highlightNamed } from '../../components/highlight-named.ts'
import { RowMenu } from '../../components/row-menu.tsx'
import { Cell, Row } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useList, useWrite } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import type { AnswerOf } from '../../api/routes.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SelectField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { Created } from '../made-by.tsx'
import { GrantSentence } from '../members/access/grant-sentence.tsx'
import { WhatTheyCanDo } from '../members/access/what-they-can-do.tsx'
import { ChangeKeyDialog } from './change-key-dialog.tsx'
import type { KeysSearch } from './search.ts'
import type { ApiKey } from './api-key.ts'
import { describeReach } from './key-form.ts'
import { SecretReadsDialog } from './secret-reads-dialog.tsx'
import { NewSecret } from './new-secret.tsx'

const kindNames = { b2m: 'Browser', m2m: 'Server', rly: 'Relay' } as const

interface KeyRowProps {
  readonly apiKey: ApiKey
  /** Says whether the address names it. */
  readonly isNamed: boolean
  /** Names the open dialog about it. */
  readonly panel: KeysSearch['panel'] | undefined
  readonly onOpen: (next: KeysSearch) => void
}

/** Shows one API key, with the dialogs that change it. */
export function KeyRow({ apiKey, isNamed, panel, onOpen }: KeyRowProps) {
  const { can } = useOrganization()
  const reach = useReachNames(apiKey)
  const [isRevoking, setRevoking] = useState(false)
  const close = () => onOpen({})
  const { id, name, prefix, kind, state, lastUsedAt } = apiKey
  const mayChange = can('admin') && state !== 'revoked'
  return (
    <Row {...highlightNamed(isNamed)}>
      <Cell>
        <div className="min-w-32">
          <NameButton onClick={() => onOpen({ key: id, panel: 'access' })}>{name}</NameButton>
        </div>
        <div className="font-mono text-sm text-muted">{prefix}…</div>
      </Cell>
      <Cell>
        <Badge tone={kind === 'b2m' ? 'info' : 'warn'}>{kindNames[kind]}</Badge>
      </Cell>
      <Cell>
        <div className="min-w-20 wrap-anywhere">{reach}</div>
        {kind === 'm2m' && <GrantsOfKey keyId={id} />}
      </Cell>
      <Cell>
        {lastUsedAt === null ? <span className="text-muted">never</span> : <Age at={lastUsedAt} />}
        <div className="min-w-36 text-sm wrap-anywhere text-muted">
          <Created {...apiKey} />
        </div>
      </Cell>
      <Cell>
        <KeyState apiKey={apiKey} />
      </Cell>
      <Cell className="text-right">
        <RowMenu
          label={`Actions for ${name}`}
          items={listActions(apiKey, { mayChange, onOpen, onRevoke: () => setRevoking(true) })}
        />
        <OpenDialog apiKey={apiKey} panel={panel} onClose={close} />
        {isRevoking && <RevokeKeyDialog apiKey={apiKey} onClose={() => setRevoking(false)} />}
      </Cell>
    </Row>
  )
}

interface OpenDialogProps extends Pick<KeyRowProps, 'apiKey' | 'panel'> {
  readonly onClose: () => void
}

/** Renders the dialog about a key that the address names. */
function OpenDialog({ panel, ...props }: OpenDialogProps) {
  const { can } = useOrganization()
  const { state } = props.apiKey
  if (panel === 'access') return <KeyDrawer {...props} />
  if (panel === 'reads') return <SecretReadsDialog {...props} />
  if (!can('admin') || state === 'revoked') return null
  if (panel === 'change') return <ChangeKeyDialog {...props} />
  return panel === 'rotate' && state === 'active' ? <RotateKeyDialog {...props} /> : null
}

interface Actions extends Pick<KeyRowProps, 'onOpen'> {
  readonly mayChange: boolean
  readonly onRevoke: () => void
}

/** Lists what a person may do about a key. */
function listActions({ id, kind, state }: ApiKey, { mayChange, onOpen, onRevoke }: Actions) {
  const open = (label: string, panel: KeysSearch['panel']) => ({
    label,
    onSelect: () => onOpen({ key: id, panel }),
  })
  const reads = kind === 'm2m' ? [open('Reads of secrets', 'reads')] : []
  if (!mayChange) return reads
  return [
    ...reads,
    open('Change', 'change'),
    ...(state === 'active' ? [open('Rotate', 'rotate')] : []),
    { label: 'Revoke', danger: true, onSelect: onRevoke },
  ]
}

/** Says the grants of a server key as sentences. */
function GrantsOfKey({ keyId }: { readonly keyId: string }) {
  const grants = useList('GET /organizations/{org_id}/grants', { query: { limit: 100 } })
  const own = grants.data?.filter(({ subject }) => subject.id === keyId) ?? []
  return own.map((grant) => (
    <div key={grant.id} className="text-sm">
      <GrantSentence grant={grant} />
    </div>
  ))
}

function KeyState({ apiKey: { state, expiresAt, overlapEndsAt } }: { readonly apiKey: ApiKey }) {
  if (state === 'revoked') return <Badge tone="bad">Revoked</Badge>
  if (state === 'expired') return <Badge tone="bad">Expired</Badge>
  return (
    <div className="flex flex-col items-start gap-1">
      <Badge tone="ok">Active</Badge>
      {expiresAt !== null && (
        <span className="text-sm whitespace-nowrap text-muted">
          expires <Age at={expiresAt} />
        </span>
      )}
      {overlapEndsAt !== null && (
        <span className="text-sm text-muted">
          old secret expires <Age at={overlapEndsAt} />
        </span>
      )}
    </div>
  )
}

/** Returns the reach of a key in words, with the names of its environments and schemas. */
function useReachNames(apiKey: ApiKey): string {
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments')
  const { data: schemas = [] } = useList('GET /organizations/{org_id}/config-schemas')
  return describeReach(apiKey, { environments, schemas })
}

/** Shows what an API key may do, in an environment and a schema. */
function KeyDrawer({ apiKey, onClose }: Readonly<{ apiKey: ApiKey; onClose: () => void }>) {
  const { id, name } = apiKey
  return (
    <Dialog shape="drawer" title={name} description={useReachNames(apiKey)} onClose={onClose}>
      <WhatTheyCanDo subject={{ keyId: id, name }} />
    </Dialog>
  )
}

/** Revokes an API key after a confirmation. */
function RevokeKeyDialog({ apiKey, onClose }: Readonly<{ apiKey: ApiKey; onClose: () => void }>) {
  const revoke = useWrite('DELETE /organizations/{org_id}/api-keys/{key_id}')
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      write={revoke}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate({
          params: { key_id: apiKey.id },
          onSuccess: () => {
            showToast({ text: `${apiKey.name} was revoked.` })
            onClose()
          },
        })
      }
    >
      Within two seconds, Signalbox refuses every request that uses it. You can’t undo this.
    </ConfirmDialog>
  )
}

/** Replaces the secret of an API key, and shows the new one once. */
function RotateKeyDialog({ apiKey, onClose }: Readonly<{ apiKey: ApiKey; onClose: () => void }>) {
  const rotate = useWrite('POST /organizations/{org_id}/api-keys/{key_id}/rotate')
  const [rotated, setRotated] =
    useState<AnswerOf<'POST /organizations/{org_id}/api-keys/{key_id}/rotate'>>()

  if (rotated !== undefined) return <NewSecret apiKey={rotated} onClose={onClose} />
  const submit = (form: HTMLFormElement) => {
    const overlapSeconds = Number(fieldsOf(form)('overlapSeconds'))
    const request = { params: { key_id: apiKey.id }, body: { overlapSeconds } }
    rotate.mutate({ ...request, onSuccess: setRotated })
  }
  return (
    <FormDialog
      title={`Rotate ${apiKey.name}`}
      description="The key gets a new secret. The old one keeps working for a while, so that nothing breaks."
      onClose={onClose}
      write={rotate}
      submitLabel="Rotate key"
      onSubmit={submit}
    >
      <SelectField
        label="Keep the old secret working for"
        name="overlapSeconds"
        defaultValue="86400"
      >
        <option value="0">not at all</option>
        <option value="3600">an hour</option>
        <option value="86400">a day</option>
        <option value="604800">a week</option>
      </SelectField>
    </FormDialog>
  )
}
