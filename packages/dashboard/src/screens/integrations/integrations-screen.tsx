import { useRead } from '../../api/use-api.ts'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useMe } from '../../session/session.ts'
import { IntegrationCard } from './integration-card.tsx'
import { ProviderAppsPanel } from './provider-apps-panel.tsx'

/** Shows the integrations, their states, and their next steps. */
export function IntegrationsScreen() {
  const { params } = useOrganization()
  const isOperator = useMe().data?.isOperator === true
  const integrations = useRead('GET /organizations/{org_id}/integrations', { params })
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
