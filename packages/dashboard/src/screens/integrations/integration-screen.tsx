import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Badge, LetterTile } from '../../components/badge.tsx'
import { Page } from '../../components/page.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { useOrganization } from '../../session/organization.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { Age } from '../../components/time.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Prose } from '../../components/code.tsx'
import { LongText } from '../../components/long-text.tsx'
import type { Capability } from '../../session/use-capability.ts'
import { ChatSettings } from './chat/chat-settings.tsx'
import { CodehostSettings } from './codehost/codehost-settings.tsx'
import {
  about,
  hasMoreAccess,
  isConnected,
  isKind,
  isUsable,
  variantOf,
  waitsForChoice,
  type Choice,
  type Integration,
} from './integration.ts'
import { TrackerSettings } from './tracker/tracker-settings.tsx'
import { ConnectButton } from './connect-button.tsx'
import { ConnectionFacts } from './connection-facts.tsx'
import { SetUpProvider } from './set-up-provider.tsx'
import { useConnect } from './use-connect.ts'

/** Shows one integration with all of its settings. */
export function IntegrationScreen() {
  const { kind } = useParams({ from: '/$org/integrations/$kind' })
  const { slug } = useOrganization()
  const integrations = useRead('GET /organizations/{org_id}/integrations')
  if (!isKind(kind)) return <NotFound />
  return (
    <Loaded
      query={integrations}
      around={(instead) => <Page title={about[kind].title}>{instead}</Page>}
    >
      {(all) => {
        const integration = all[kind]
        const variant = variantOf(integration.state)
        return (
          <Page
            title={integration.displayName}
            icon={integration.icon !== null && <LetterTile {...integration.icon} />}
            beside={
              <Badge tone={variant.tone} icon={variant.icon}>
                {variant.text}
              </Badge>
            }
            actions={
              <Link to="/$org/integrations" params={{ org: slug }}>
                All integrations
              </Link>
            }
          >
            <ConnectionPanel integration={integration} />
            {(isConnected(integration.state) || waitsForChoice(integration)) && (
              <Settings integration={integration} />
            )}
            {isUsable(integration.state) && <CapabilitiesPanel integration={integration} />}
          </Page>
        )
      }}
    </Loaded>
  )
}

function Settings({ integration }: { readonly integration: Integration }) {
  if ('repositories' in integration) return <CodehostSettings status={integration} />
  if ('projectKeys' in integration) return <TrackerSettings status={integration} />
  return <ChatSettings status={integration} />
}

/** Shows the connected account, its author, its permissions and its health, and the button that disconnects it. */
function ConnectionPanel({ integration }: { readonly integration: Integration }) {
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

interface DisconnectDialogProps {
  readonly integration: Pick<
    Integration,
    'kind' | 'displayName' | 'revokeAdvice' | 'revokeEffect' | 'connectionOf' | 'usedBy'
  >
  readonly onClose: () => void
}

function toRevocation(name: string, revokeAdvice: string | null): string {
  return revokeAdvice === null
    ? `Signalbox stops using the access immediately, keeps asking ${name} for up to three days to revoke it, and shows the outcome here.`
    : `Signalbox stops using the access immediately and deletes its copy, but can’t revoke it at ${name}. ${revokeAdvice}`
}

/** Disconnects an integration after a confirmation. */
function DisconnectDialog({
  integration: { kind, displayName: name, revokeAdvice, revokeEffect, connectionOf, usedBy },
  onClose,
}: DisconnectDialogProps) {
  const disconnect = useWrite('DELETE /organizations/{org_id}/integrations/{kind}')
  return (
    <ConfirmDialog
      title={`Disconnect ${name}?`}
      action="Disconnect"
      write={disconnect}
      onClose={onClose}
      onConfirm={() => disconnect.mutate({ params: { kind }, onSuccess: onClose })}
    >
      {connectionOf === null
        ? toRevocation(name, revokeAdvice)
        : `Signalbox stops using the connection of ${connectionOf} for ${name}. ${connectionOf} itself stays connected.`}{' '}
      {revokeEffect !== null && `${revokeEffect} `}
      {usedBy !== null && `${usedBy} uses this connection, so Signalbox disconnects it as well. `}
      Recorded data stays. If you connect the same account again, your settings return.
      {kind === 'codehost' &&
        ' For another account or provider, Signalbox keeps the environment rules that name no repository. You choose test workflows and other rules again.'}
    </ConfirmDialog>
  )
}

/** Shows what works with the connected provider, what doesn't and what to do about it. Renders nothing before it is connected. */
function CapabilitiesPanel({ integration }: { readonly integration: Integration }) {
  const { capabilities, limits } = integration
  if (capabilities.length === 0) return null
  return (
    <Panel title={`What works with ${integration.displayName}`} flush>
      <ul className="divide-y divide-line">
        {capabilities.map((capability) => (
          <CapabilityRow key={capability.name} capability={capability} />
        ))}
      </ul>
      <FurtherAccess integration={integration} />
      {limits.length > 0 && (
        <div className="border-t border-line px-4 py-3">
          <h3 className="text-sm font-medium">Good to know</h3>
          <ul className="mt-1 flex list-disc flex-col gap-1 pl-5 text-muted">
            {limits.map((limit) => (
              <li key={limit} className="break-words">
                <Prose text={limit} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  )
}

function CapabilityRow({
  capability: { title, works, detail, nextStep },
}: {
  readonly capability: Capability
}) {
  const Icon = works ? CircleCheck : CircleDashed
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <Icon
        role="img"
        aria-label={works ? 'Works' : 'Doesn’t work'}
        size={16}
        className={`mt-0.5 shrink-0 ${works ? 'text-ok' : 'text-muted'}`}
      />
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <p className="break-words text-muted">
          <LongText text={detail} />
        </p>
        {nextStep !== null && (
          <p className="break-words">
            <LongText text={nextStep} />
          </p>
        )}
      </div>
    </li>
  )
}

/** Offers to connect again with everything that the provider can give. Renders nothing where everything was granted. */
function FurtherAccess({ integration }: { readonly integration: Integration }) {
  const { kind, choices, provider } = integration
  const { can } = useOrganization()
  const { pending, problem, authorize } = useConnect(kind)
  const choice = choices.find((one) => one.provider === provider)
  const further = choice && describeFurther(integration, choice)
  if (choice === undefined || further === undefined || !can('admin')) return null
  return (
    <div className="flex flex-col items-start gap-2 border-t border-line px-4 py-3">
      <FormProblem problem={problem} />
      <Button pending={pending !== undefined} onClick={() => void authorize(choice, 'full')}>
        Connect {choice.displayName} again with {further.name}
      </Button>
      {further.advice !== null && <p className="text-sm text-muted">{further.advice}</p>}
    </div>
  )
}

/** Describes the access that was not asked for. `undefined`: there is none. */
function describeFurther(
  integration: Integration,
  choice: Choice,
): { readonly name: string; readonly advice: string | null } | undefined {
  if (integration.level === 'read') return { name: 'full access', advice: null }
  if (choice.moreAccess === null || hasMoreAccess(integration, choice)) return undefined
  return { name: 'more access', advice: choice.moreAccess.advice }
}
