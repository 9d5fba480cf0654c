import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Facts } from '../../components/facts.tsx'
import { WithToken } from '../made-by.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { Age } from '../../components/time.tsx'
import type { Integration } from './integration.ts'

const levels = { read: 'Read only', full: 'Full' } as const

/** Shows the facts about a connection. */
export function ConnectionFacts({ integration }: { readonly integration: Integration }) {
  const { account, connectedAt, connectedBy, connectedWith, reconnectBefore, health, scopes } =
    integration
  const { connectionOf } = integration
  return (
    <Facts
      facts={{
        Account:
          account === null ? undefined : (
            <OutsideLink href={account.url}>{account.name}</OutsideLink>
          ),
        'Uses the connection of': connectionOf ?? undefined,
        Connected:
          connectedAt === null ? undefined : (
            <>
              <Age at={connectedAt} /> by <bdi>{connectedBy?.name ?? 'a former member'}</bdi>
              <WithToken credential={connectedWith} />
            </>
          ),
        'Connection ends': ageOf(reconnectBefore),
        'Last response': ageOf(health.lastOkAt),
        Access: integration.level === null ? undefined : levels[integration.level],
        Permissions: scopes.length === 0 ? undefined : <Scopes scopes={scopes} />,
        'Missing permissions': toMissing(integration.missingScopes),
        'Last disconnected': toRevocation(integration.revocation),
      }}
    />
  )
}

function ageOf(at: string | null): ReactNode {
  return at === null ? undefined : <Age at={at} />
}

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {scopes.map((scope) => (
        <Badge key={scope} isName>
          {scope}
        </Badge>
      ))}
    </span>
  )
}

function toMissing(missing: Integration['missingScopes']): ReactNode {
  if (missing.length === 0) return undefined
  return (
    <ul className="flex flex-col gap-1">
      {missing.map(({ scope, cost }) => (
        <li key={scope}>
          <Badge tone="warn" isName>
            {scope}
          </Badge>{' '}
          {cost}
        </li>
      ))}
    </ul>
  )
}

function toRevocation(revocation: Integration['revocation']): ReactNode {
  if (revocation === null) return undefined
  const { at, state, detail, url } = revocation
  return (
    <>
      <Age at={at} />. {detail}{' '}
      {url !== null && state !== 'revoked' && (
        <OutsideLink href={url} className="underline">
          Revoke it there
        </OutsideLink>
      )}
    </>
  )
}
