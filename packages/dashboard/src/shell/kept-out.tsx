import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { call } from '../api/call.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/states.tsx'
import type { Membership } from '../session/session.ts'
import { BarePage } from './bare-page.tsx'

interface KeptOutProps {
  readonly organization: Membership
  readonly rejection: NonNullable<Membership['rejection']>
}

/** Says why an organization keeps a member out, and leads to what it requires. */
export function KeptOut({ organization, rejection }: KeptOutProps) {
  const { name } = organization
  const needsFactor = rejection.code === 'second_factor_off'
  return (
    <BarePage>
      <EmptyState
        icon={Lock}
        title={needsFactor ? `${name} requires a second factor` : `Confirm it’s you for ${name}`}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {needsFactor ? (
              <Link to="/account" className={buttonClass('primary')}>
                Turn on a second factor
              </Link>
            ) : (
              <ConfirmButton orgId={organization.id} />
            )}
            <Link to="/orgs" className={buttonClass()}>
              All organizations
            </Link>
          </div>
        }
      >
        {rejection.detail}
      </EmptyState>
    </BarePage>
  )
}

/** Asks for something of the organization, so that the question who is at the browser is asked first. */
function ConfirmButton({ orgId }: { readonly orgId: string }) {
  const client = useQueryClient()
  const confirm = () =>
    void call('GET /organizations/{org_id}', { params: { org_id: orgId } })
      .catch(() => undefined)
      .then(() => client.invalidateQueries({ queryKey: ['GET /me'] }))
  return (
    <Button variant="primary" onClick={confirm}>
      Confirm
    </Button>
  )
}
