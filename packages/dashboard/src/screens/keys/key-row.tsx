import { useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { highlightNamed } from '../../components/highlight-named.ts'
import { Created } from '../made-by.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Cell, Row } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ChangeKeyDialog } from './change-key-dialog.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'
import type { KeysSearch } from './search.ts'
import type { ApiKey } from './api-key.ts'
import { useList } from '../../api/use-api.ts'
import { describeReach } from './key-form.ts'

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
  const isRotating = mayChange && state === 'active' && panel === 'rotate'
  return (
    <Row {...highlightNamed(isNamed)}>
      <Cell>
        <div className="min-w-32 font-medium wrap-anywhere">{name}</div>
        <div className="font-mono text-sm text-muted">{prefix}…</div>
      </Cell>
      <Cell>
        <Badge tone={kind === 'b2m' ? 'info' : 'warn'}>{kindNames[kind]}</Badge>
      </Cell>
      <Cell>
        <div className="min-w-20 wrap-anywhere">{reach}</div>
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
          items={
            mayChange
              ? [
                  { label: 'Change', onSelect: () => onOpen({ key: id, panel: 'change' }) },
                  ...(state === 'active'
                    ? [{ label: 'Rotate', onSelect: () => onOpen({ key: id, panel: 'rotate' }) }]
                    : []),
                  { label: 'Revoke', danger: true, onSelect: () => setRevoking(true) },
                ]
              : []
          }
        />
        {mayChange && panel === 'change' && <ChangeKeyDialog apiKey={apiKey} onClose={close} />}
        {isRotating && <RotateKeyDialog apiKey={apiKey} onClose={close} />}
        {isRevoking && <RevokeKeyDialog apiKey={apiKey} onClose={() => setRevoking(false)} />}
      </Cell>
    </Row>
  )
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
  const { params } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const { data: schemas = [] } = useList('GET /organizations/{org_id}/config-schemas', { params })
  return describeReach(apiKey, { environments, schemas })
}
