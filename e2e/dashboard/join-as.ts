import type { Role } from '@signalbox/contract/rest'
import type { Dashboard } from './open-dashboard.ts'

/** Invites somebody who joins at once as `role`. Answers the cookie of their session. */
export async function joinAs({ service }: Dashboard, role: Role, name: string): Promise<string> {
  const { url } = await service.ask<{ readonly url: string }>('POST /invitations', {
    email: `${name.toLowerCase()}.${role}@example.com`,
    role,
  })
  const answer = await fetch(`${service.apiUrl}/invitations/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.apiUrl },
    body: JSON.stringify({
      token: /#(?:token=)?(.+)$/.exec(url)?.[1],
      name,
      password: 'a password that is long enough',
    }),
  })
  if (!answer.ok) throw new Error(`The invitation was refused: ${await answer.text()}`)
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}
