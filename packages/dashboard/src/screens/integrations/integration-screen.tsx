import { Link, useParams } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Badge, LetterTile } from '../../components/badge.tsx'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { useOrganization } from '../../session/organization.ts'
import { CapabilitiesPanel } from './capabilities-panel.tsx'
import { ChatSettings } from './chat/chat-settings.tsx'
import { CodehostSettings } from './codehost/codehost-settings.tsx'
import { ConnectionPanel } from './connection-panel.tsx'
import {
  about,
  isConnected,
  isKind,
  isUsable,
  variantOf,
  type Integration,
  waitsForChoice,
} from './integration.ts'
import { TrackerSettings } from './tracker/tracker-settings.tsx'

/** Shows one integration with all of its settings. */
export function IntegrationScreen() {
  const { kind } = useParams({ from: '/$org/integrations/$kind' })
  const { params, slug } = useOrganization()
  const integrations = useRead('GET /organizations/{org_id}/integrations', { params })
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
