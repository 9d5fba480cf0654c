import { useState } from 'react'
import type { ItemOf } from '../api/routes.ts'
import { toWrite, useReads, type Write } from '../api/use-api.ts'
import { Checkbox } from '../components/field.tsx'
import { Loaded } from '../components/states.tsx'
import { Age } from '../components/time.tsx'

type MadeThing = ItemOf<'GET /organizations/{org_id}/members/{user_id}/made'>

const kindNames: Readonly<Record<MadeThing['kind'], string>> = {
  api_key: 'API key',
  invitation: 'Invitation of',
  scim_token: 'SCIM token',
  sign_in_provider: 'Sign-in provider',
  member: 'The role of',
  grant: 'A grant of',
  group_member: 'Membership of',
  integration: 'Connection to',
  outgoing_webhook: 'Outgoing webhook',
  signal: 'Signal',
  target: 'Target',
}

interface MadeInOrganization extends MadeThing {
  readonly organization: { readonly id: string; readonly name: string }
}

interface Maker {
  readonly organizations: readonly MadeInOrganization['organization'][]
  readonly userId: string
  /** Holds the id of the token that is revoked. Left out: the person is removed. */
  readonly token?: string
}

/**
 * Reads what a person or token made that keeps working without them, and holds the selection to pause. Keys of a person
 * who leaves are not preselected, because programs run with them; those of a token are, because the finder of the token
 * has them.
 */
export function usePauseMade({ organizations, userId, token }: Maker) {
  const [picked, setPicked] = useState<Readonly<Record<string, boolean>>>({})
  const route = 'GET /organizations/{org_id}/members/{user_id}/made'
  const query = useReads(
    route,
    organizations.map(({ id }) => ({
      params: { org_id: id, user_id: userId },
      ...(token !== undefined && { query: { token } }),
    })),
  )
  const made = (query.data ?? []).flatMap(({ items }, index) => {
    const organization = organizations[index]
    return organization === undefined ? [] : items.map((item) => ({ ...item, organization }))
  })
  const isPicked = ({ id, kind, pausedBy }: MadeThing) =>
    pausedBy !== null && (picked[id] ?? (token !== undefined || kind !== 'api_key'))
  return {
    query,
    made,
    isOfSeveral: organizations.length > 1,
    isPicked,
    pick: (things: readonly MadeThing[], isOn: boolean) =>
      setPicked({ ...picked, ...Object.fromEntries(things.map(({ id }) => [id, isOn])) }),
    writes: made.filter(isPicked).flatMap(toPause),
  }
}

function toPause({ id, pausedBy, organization }: MadeInOrganization): Write[] {
  const org = { org_id: organization.id }
  switch (pausedBy) {
    case null:
      return []
    case 'pauseApiKey':
      return [
        toWrite('POST /organizations/{org_id}/api-keys/{key_id}/pause', {
          params: { ...org, key_id: id },
        }),
      ]
    case 'revokeInvitation':
      return [
        toWrite('DELETE /organizations/{org_id}/invitations/{invitation_id}', {
          params: { ...org, invitation_id: id },
        }),
      ]
    case 'pauseOutgoingWebhook':
      return [
        toWrite('POST /organizations/{org_id}/outgoing-webhooks/{webhook_id}/pause', {
          params: { ...org, webhook_id: id },
        }),
      ]
    case 'pauseTarget':
      return [
        toWrite('POST /organizations/{org_id}/targets/{target_id}/pause', {
          params: { ...org, target_id: id },
        }),
      ]
  }
}

interface PauseMadeProps {
  readonly made: ReturnType<typeof usePauseMade>
  /** Says by whom or with what it was made. Examples: `by Grace`, `with this token`. */
  readonly maker: string
}

/** Lists what keeps working without its maker, each with the choice to pause it. Renders nothing if there is nothing. */
export function PauseMade({
  made: { query, made, isOfSeveral, isPicked, pick },
  maker,
}: PauseMadeProps) {
  const pausable = made.filter(({ pausedBy }) => pausedBy !== null)
  const others = made.filter(({ pausedBy }) => pausedBy === null)
  return (
    <Loaded query={query}>
      {() => (
        <>
          {pausable.length > 0 && (
            <fieldset className="flex flex-col gap-1">
              <legend className="mb-1 font-medium">
                Made or changed {maker}, and still in use. Pause them?
              </legend>
              {pausable.length > 1 && (
                <Checkbox
                  label="Pause all"
                  checked={pausable.every(isPicked)}
                  isPartly={pausable.some(isPicked)}
                  onChange={({ target }) => pick(pausable, target.checked)}
                />
              )}
              <div className="flex max-h-64 flex-col gap-1 overflow-auto">
                {pausable.map((thing) => (
                  <Checkbox
                    key={thing.id}
                    label={<MadeName {...{ thing, isOfSeveral }} />}
                    checked={isPicked(thing)}
                    onChange={({ target }) => pick([thing], target.checked)}
                  />
                ))}
              </div>
              <p className="text-sm text-muted">
                A paused key ends now, until you give it a later end. An invitation is withdrawn.
                Rotate each key that keeps working: the person who created it knows its secret.
              </p>
            </fieldset>
          )}
          {others.length > 0 && (
            <div>
              <p className="font-medium">Look at these yourself:</p>
              <ul className="ml-5 list-disc">
                {others.map((thing) => (
                  <li key={thing.id}>
                    <MadeName {...{ thing, isOfSeveral }} />
                  </li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </Loaded>
  )
}

interface MadeNameProps {
  readonly thing: MadeInOrganization
  /** Says whether the list is about several organizations. */
  readonly isOfSeveral: boolean
}

function MadeName({ thing, isOfSeveral }: MadeNameProps) {
  const { kind, name, did, at, lastUsedAt, organization } = thing
  return (
    <>
      {kindNames[kind]} <bdi className="font-medium">{name}</bdi>
      <span className="text-sm text-muted">
        {' '}
        {isOfSeveral && (
          <>
            in <bdi>{organization.name}</bdi>,{' '}
          </>
        )}
        {did} <Age at={at} />
        {lastUsedAt !== null && (
          <>
            , last used <Age at={lastUsedAt} />
          </>
        )}
      </span>
    </>
  )
}
