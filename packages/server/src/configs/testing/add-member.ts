import type { Role } from '@signalbox/contract'
import type { ConfigApp } from './open-config-app.ts'

type Organization = Pick<ConfigApp, 'test' | 'orgId' | 'person' | 'setActor'>

/** Adds a member to the organization of an app, whom `as` then names. Returns the id of the person. */
export async function addMember(
  app: Organization,
  name: string,
  role: Role = 'developer',
): Promise<string> {
  const actor = app.person(name)
  const { userId } = actor
  await app.test.asOwner('insert into users (id, email, name) values ($1, $1, $2)', [userId, name])
  await app.test.asOwner('insert into members (org_id, user_id, role) values ($1, $2, $3)', [
    app.orgId,
    userId,
    role,
  ])
  app.setActor(name, actor, role)
  return userId
}
