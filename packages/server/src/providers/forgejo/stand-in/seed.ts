import { randomBytes, randomUUID } from 'node:crypto'
import type { ForgejoApplication, ForgejoState, ForgejoUser } from './state.ts'

/** Creates the application that stands for the product. Its credentials are new for each sandbox. */
export function createApplication(): ForgejoApplication {
  return {
    clientId: randomUUID(),
    clientSecret: `gto_${randomBytes(26).toString('hex')}`,
    name: 'Signalbox sandbox',
    redirectUris: [],
  }
}

/** Adds `ada`, who owns `acme`, `grace`, who writes there, and `mallory`, who has no rights. */
export function seedUsers(state: ForgejoState): void {
  for (const [id, login, fullName] of [
    [61, 'ada', 'Ada'],
    [62, 'grace', 'Grace'],
    [63, 'mallory', 'Mallory'],
  ] as const) {
    state.users.set(login, { id, login, fullName, email: `${login}@example.com` })
  }
}

/** Returns the person of this name; throws when there is none. */
export function getUser({ users }: Pick<ForgejoState, 'users'>, login: string): ForgejoUser {
  const user = users.get(login)
  if (user === undefined) throw new Error(`There is no user ${login}.`)
  return user
}
