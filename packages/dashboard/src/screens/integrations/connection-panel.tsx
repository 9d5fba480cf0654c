import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Age } from '../../parts/time.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { ConnectButton } from './connect-button.tsx'
import { about, isConnected, type Integration } from './integration.ts'

const revocations = {
  pending: 'being revoked at the provider',
  revoked: 'revoked at the provider',
  failed: 'not revoked at the provider',
  not_offered: 'the provider offers no revocation',
} as const

/** Which account, who connected it, what it may, how it is, and the way out. */
export function ConnectionPanel({ integration }: { readonly integration: Integration }) {
  const { params, can } = useOrganization()
  const disconnect = useWrite('DELETE /organizations/{org_id}/integrations/{kind}')
  const [isAsking, setAsking] = useState(false)
  const { kind, state, account, health, missingScopes, scopes, revocation } = integration
  const { name } = about[kind]
  const connected = isConnected(state)
  const { lastError } = health
  return (
    <Panel
      title="Connection"
      actions={
        connected &&
        can('admin') && (
          <Button look="danger" onClick={() => setAsking(true)}>
            Disconnect
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {lastError !== null && (
          <div role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
            <p>
              {lastError.detail} <Age at={lastError.at} />
            </p>
            <p className="font-medium">{lastError.nextStep}</p>
          </div>
        )}
        {integration.nextStep !== null && lastError === null && (
          <p className="rounded-md bg-raised px-3 py-2">{integration.nextStep}</p>
        )}
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 [&>dt]:text-muted">
          {account !== null && (
            <>
              <dt>Account</dt>
              <dd className="break-words">
                {account.url === null ? (
                  account.name
                ) : (
                  <a href={account.url} target="_blank" rel="noreferrer">
                    {account.name}
                  </a>
                )}
              </dd>
            </>
          )}
          {integration.connectedAt !== null && (
            <>
              <dt>Connected</dt>
              <dd>
                <Age at={integration.connectedAt} /> by {integration.connectedBy?.name ?? 'nobody'}
              </dd>
            </>
          )}
          {integration.reconnectBefore !== null && (
            <>
              <dt>Connect again before</dt>
              <dd>
                <Age at={integration.reconnectBefore} />
              </dd>
            </>
          )}
          {health.lastOkAt !== null && (
            <>
              <dt>Last heard of</dt>
              <dd>
                <Age at={health.lastOkAt} />
              </dd>
            </>
          )}
          {scopes.length > 0 && (
            <>
              <dt>May</dt>
              <dd className="flex flex-wrap gap-1">
                {scopes.map((scope) => (
                  <Badge key={scope}>{scope}</Badge>
                ))}
              </dd>
            </>
          )}
          {missingScopes.map(({ scope, cost }) => (
            <div key={scope} className="contents [&>dt]:text-muted">
              <dt>May not</dt>
              <dd>
                <Badge tone="warn">{scope}</Badge> {cost}
              </dd>
            </div>
          ))}
          {revocation !== null && (
            <>
              <dt>Last disconnected</dt>
              <dd className="break-words">
                <Age at={revocation.at} />, {revocations[revocation.state]}. {revocation.detail}{' '}
                {revocation.url !== null && (
                  <a href={revocation.url} target="_blank" rel="noreferrer">
                    Revoke it there
                  </a>
                )}
              </dd>
            </>
          )}
        </dl>
        {integration.isSetUp && (!connected || state !== 'connected') && (
          <ConnectButton integration={integration} />
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Disconnect ${name}?`}
          action="Disconnect"
          pending={disconnect.isPending}
          problem={disconnect.error}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            disconnect.mutate(
              { params: { ...params, kind } },
              { onSuccess: () => setAsking(false) },
            )
          }
        >
          Access ends here at once; {name} is asked to revoke it for three days, and the outcome is
          shown here. What was recorded stays. The settings come back when the same account is
          connected again.
        </ConfirmDialog>
      )}
    </Panel>
  )
}
