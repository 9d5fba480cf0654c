import type { Dashboard } from './open-dashboard.ts'

/** Somebody who is invited to the organization, makes an account and joins. Answers the cookie of their session. */
export async function addMember(
  { service: { ask, apiUrl } }: Dashboard,
  { name, role }: { readonly name: string; readonly role: 'viewer' | 'developer' | 'admin' },
): Promise<string> {
  const email = `${name.toLowerCase()}@example.com`
  const { url } = await ask<{ url: string }>('POST /invitations', { email, role })
  const answer = await fetch(`${apiUrl}/invitations/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: apiUrl },
    body: JSON.stringify({
      token: url.split('#')[1],
      name,
      password: 'a password of the tests, long enough',
    }),
  })
  if (!answer.ok) throw new Error(`${name} could not join: ${await answer.text()}`)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
