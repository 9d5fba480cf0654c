import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { GithubAccount, GithubApp, GithubState } from './state.ts'

/** Describes the registration of an app. */
export type Registration = Pick<
  GithubApp,
  | 'name'
  | 'description'
  | 'externalUrl'
  | 'owner'
  | 'isPublic'
  | 'callbackUrls'
  | 'setupUrl'
  | 'requestsUserOnInstall'
  | 'redirectsOnUpdate'
  | 'webhookUrl'
  | 'permissions'
  | 'events'
>

/** Describes the credentials that GitHub generates for an app. */
export interface AppCredentials {
  /** Holds the id. `undefined`: the next free one. */
  readonly id: number | undefined
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookSecret: string
  /** Creates the key on first use, because a key of 2,048 bits takes long. */
  readonly keys: () => KeyPair
}

/** Describes a key pair in PEM. The private key is PKCS#1, as GitHub hands it out. */
export interface KeyPair {
  readonly privateKey: string
  readonly publicKey: string
}

/** Creates random credentials. */
export function createAppCredentials(
  keys: () => KeyPair = once(createKeyPair),
  id?: number,
): AppCredentials {
  return {
    id,
    clientId: `Iv23li${randomBytes(7).toString('hex')}`,
    clientSecret: randomBytes(20).toString('hex'),
    webhookSecret: randomBytes(20).toString('hex'),
    keys,
  }
}

/** Returns the key pair of the seeded app, the same for every sandbox of this process. Creating one takes long. */
export const seedKeys = once(createKeyPair)

/** Adds an app and its bot. Its webhook begins with JSON, as a new one does on GitHub. */
export function createApp(
  state: GithubState,
  registration: Registration,
  { id, clientId, clientSecret, webhookSecret, keys }: AppCredentials,
): GithubApp {
  const now = state.clock.now()
  const app: GithubApp = {
    ...registration,
    id: id ?? state.nextId(),
    slug: slugOf(registration.name),
    clientId,
    clientSecret,
    webhookSecret,
    get privateKey() {
      return keys().privateKey
    },
    get publicKey() {
      return keys().publicKey
    },
    hookId: state.nextId(),
    webhookContentType: 'json',
    createdAt: now,
    updatedAt: now,
  }
  state.apps.set(app.id, app)
  const bot = botOf(app, state.nextId())
  state.accounts.set(bot.login, bot)
  return app
}

/** Returns the slug of an app's name. Example: `Signalbox (acme)` -> `signalbox-acme`. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Returns the login of the bot account of an app. Example: `signalbox-sandbox[bot]`. */
export function botLoginOf({ slug }: GithubApp): string {
  return `${slug}[bot]`
}

function botOf(app: GithubApp, id: number): GithubAccount {
  const login = botLoginOf(app)
  return {
    id,
    login,
    name: app.name,
    email: `${id}+${login}@users.noreply.github.com`,
    type: 'Bot',
  }
}

function createKeyPair(): KeyPair {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}
