import { useState } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ConnectButton } from './connect-button.tsx'
import { ConnectionFacts } from './connection-facts.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { about, isConnected, type Integration } from './integration.ts'
import { SetUpProvider } from './set-up-provider.tsx'
import { Age } from '../../components/time.tsx'

/** Shows the connected account, its author, its permissions and its health, and the button that disconnects it. */
export function ConnectionPanel({ integration }: { readonly integration: Integration }) {
  const { can } = useOrganization()
  const [isAsking, setAsking] = useState(false)
  const { kind, state, isSetUp } = integration
  const mayDisconnect = isConnected(state) && can('admin')
  return (
    <Panel
      title="Connection"
      actions={
        mayDisconnect && (
          <Button variant="danger" onClick={() => setAsking(true)}>
            Disconnect
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {state === 'not_connected' && <p className="text-muted">{about[kind].unlocks}</p>}
        <ConnectionError integration={integration} />
        <ConnectionFacts integration={integration} />
        {state === 'suspended' && <LiftLink integration={integration} />}
        {isSetUp && state !== 'connected' && state !== 'suspended' && (
          <ConnectButton integration={integration} />
        )}
        {(!isSetUp || !isConnected(state)) && <SetUpProvider integration={integration} />}
      </div>
      {isAsking && <DisconnectDialog integration={integration} onClose={() => setAsking(false)} />}
    </Panel>
  )
}

/** Links to the provider, where a suspension is lifted: connecting again would change nothing. */
function LiftLink({
  integration: { displayName, account },
}: {
  readonly integration: Integration
}) {
  if (account === null || account.url === null) return null
  return (
    <div>
      <OutsideLink href={account.url} className={buttonClass('primary')}>
        Unsuspend it at {displayName}
      </OutsideLink>
    </div>
  )
}

/** Shows the last error and what to do about it, or just the next step. */
function ConnectionError({ integration }: { readonly integration: Integration }) {
  const { health, nextStep, state } = integration
  const { lastError } = health
  if (lastError !== null) {
    return (
      <div role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
        <p>
          {lastError.detail} (<Age at={lastError.at} />)
        </p>
        <p className="font-medium">{lastError.nextStep}</p>
      </div>
    )
  }
  // The button that connects it, or sets it up, says the same already.
  if (nextStep === null || state === 'not_connected') return null
  return <p className="rounded-md bg-raised px-3 py-2">{nextStep}</p>
}
