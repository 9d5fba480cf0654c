import { randomBytes } from 'node:crypto'
import type { GitlabApplication, GitlabState, GitlabUser } from './state.ts'

/** Lists the scopes that the seeded application may ask for, with the words of the page. */
export const scopes: ReadonlyMap<string, string> = new Map([
  ['api', 'Access the API on your behalf'],
  ['read_api', 'Read the API on your behalf'],
  ['read_user', 'Read your personal information'],
  ['read_repository', 'Read your repositories'],
  ['openid', 'Authenticate you using OpenID Connect'],
])

/** Creates the application that stands for the product. Its credentials are new for each sandbox. */
export function createApplication(): GitlabApplication {
  return {
    clientId: randomBytes(32).toString('hex'),
    clientSecret: `gloas-${randomBytes(32).toString('hex')}`,
    name: 'Signalbox sandbox',
    isConfidential: true,
    scopes: new Set(scopes.keys()),
    redirectUris: [],
  }
}

/** Adds `ada`, who owns the group `acme`, `grace`, who develops there, and `mallory`, who is in no group. Returns `ada`. */
export function seedUsers(state: GitlabState): GitlabUser {
  const ada = addUser(state, 501, 'ada', 'Ada')
  addUser(state, 502, 'grace', 'Grace')
  addUser(state, 503, 'mallory', 'Mallory')
  return ada
}

function addUser(state: GitlabState, id: number, username: string, name: string): GitlabUser {
  const user = { id, username, name, email: `${username}@example.com` }
  state.users.set(username, user)
  return user
}
