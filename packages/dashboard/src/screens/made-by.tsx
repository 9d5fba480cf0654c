import type { ItemOf } from '../api/routes.ts'
import { Age } from '../components/time.tsx'

type AuditEvent = ItemOf<'GET /organizations/{org_id}/audit-events'>

interface MadeByProps {
  readonly by: AuditEvent['actor']
  /** Holds what they were signed in with. `null`: it is not known. */
  readonly credential: AuditEvent['with']
}

/** Names who made something, and the token that they made it with. Example: `Ada, with the token laptop`. */
export function MadeBy({ by, credential }: MadeByProps) {
  return (
    <>
      <bdi>{by.name}</bdi>
      <WithToken credential={credential} />
    </>
  )
}

/** Names the personal access token that something was made with. Renders nothing for a browser. */
export function WithToken({ credential }: Pick<MadeByProps, 'credential'>) {
  if (credential?.type !== 'personal_access_token') return null
  return (
    <>
      , with the token <bdi>{credential.name}</bdi>
    </>
  )
}

interface CreatedProps {
  readonly createdAt: string
  readonly createdBy: MadeByProps['by'] | null
  readonly createdWith: MadeByProps['credential']
}

/** Says that something was created, how long ago, by whom and with what. */
export function Created(props: CreatedProps) {
  return (
    <>
      created <CreatedAge {...props} />
    </>
  )
}

/** Says the same in a column that is called *Created*. */
export function CreatedAge({ createdAt, createdBy, createdWith }: CreatedProps) {
  return (
    <>
      <Age at={createdAt} />
      {createdBy !== null && (
        <>
          {' '}
          by <MadeBy by={createdBy} credential={createdWith} />
        </>
      )}
    </>
  )
}
