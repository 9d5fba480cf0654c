import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useMe } from '../../session/session.ts'
import { Badge, LetterTile } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { Age } from '../../components/time.tsx'
import { ProviderAppsPanel } from './provider-apps-panel.tsx'
import { ConnectButton } from './connect-button.tsx'
import {
  about,
  isConnected,
  nameInSentence,
  variantOf,
  waitsForChoice,
  type Integration,
} from './integration.ts'

/** Shows the integrations, their states, and their next steps. */
export function IntegrationsScreen() {
  const isOperator = useMe().data?.isOperator === true
  const integrations = useRead('GET /organizations/{org_id}/integrations')
  return (
    <Page title="Integrations">
      <Loaded query={integrations}>
        {({ codehost, tracker, chat }) => (
          <div className="grid gap-4 lg:grid-cols-3">
            {[codehost, tracker, chat].map((integration) => (
              <IntegrationCard key={integration.kind} integration={integration} />
            ))}
          </div>
        )}
      </Loaded>
      {isOperator && <ProviderAppsPanel />}
    </Page>
  )
}

/** Shows the state of one provider, and its next step. */
function IntegrationCard({ integration }: { readonly integration: Integration }) {
  const isOperator = useMe().data?.isOperator === true
  const { kind, icon, state, account, nextStep, health, isSetUp, level } = integration
  const { unlocks } = about[kind]
  const variant = variantOf(state)
  return (
    <Panel
      title={integration.displayName}
      icon={
        icon !== null && (
          <span className="mr-2">
            <LetterTile {...icon} />
          </span>
        )
      }
      actions={
        <Badge tone={variant.tone} icon={variant.icon}>
          {variant.text}
        </Badge>
      }
    >
      <div className="flex h-full flex-col gap-3">
        {account === null ? (
          <p className="text-muted">{unlocks}</p>
        ) : (
          <p className="break-words">
            {account.name}
            {level === 'read' && <span className="text-muted">, read only</span>}
            {health.lastOkAt !== null && (
              <span className="text-muted">
                , last response <Age at={health.lastOkAt} />
              </span>
            )}
          </p>
        )}
        {/* Where the button says the same, once is enough. */}
        {nextStep !== null && !(state === 'not_connected' && (isSetUp || isOperator)) && (
          <p className="rounded-md bg-raised px-3 py-2">{nextStep}</p>
        )}
        <Actions integration={integration} isOperator={isOperator} />
      </div>
    </Panel>
  )
}

interface ActionsProps {
  readonly integration: Integration
  /** Says whether the person runs this server, and can set up its application at the provider. */
  readonly isOperator: boolean
}

function Actions({ integration, isOperator }: ActionsProps) {
  const { slug } = useOrganization()
  const { kind, state, isSetUp } = integration
  const isManaged = isConnected(state) || waitsForChoice(integration)
  const to = { to: '/$org/integrations/$kind', params: { org: slug, kind } } as const
  return (
    <div className="mt-auto flex flex-wrap gap-2">
      {isManaged && (
        <Link {...to} className={buttonClass()}>
          {isConnected(state) ? 'Manage' : 'Choose'}
        </Link>
      )}
      {isSetUp && (!isConnected(state) || state === 'reauth_required') && (
        <ConnectButton integration={integration} />
      )}
      {!isSetUp && isOperator && (
        <Link {...to} className={buttonClass('primary')}>
          Set up {nameInSentence(integration)}
        </Link>
      )}
    </div>
  )
}
