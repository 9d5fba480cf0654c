import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  connect,
  nkeyAuthenticator,
  nkeys,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node'
import type { Service } from '../../../packages/server/src/start/service.ts'
import { openNodes, type Nodes } from '../../../packages/server/src/start/testing/open-nodes.ts'
import { readGuideConfig } from './guide-config.ts'
import { runNatsUser } from './run-nats-user.ts'
import { openSecuredNats, type OpenSecuredNats, type SecuredNats } from './secured-nats.ts'

/** Describes an organization with something to read. */
export interface SecuredOrganization {
  readonly orgId: string
  /** Reads the theme at a delivery node: `200 dark`, or the status alone. */
  read(node: Service): Promise<string>
  setTheme(theme: string): Promise<unknown>
}

/** Describes a service that publishes to a NATS with users, and two organizations: the group `eu` has one, `us` the other. */
export interface SecuredWorld {
  readonly server: SecuredNats
  readonly ours: SecuredOrganization
  readonly theirs: SecuredOrganization
  /** Makes a user by the command, and lets the server know it. `as`: names its seed. */
  addUser(name: string, as?: string): Promise<void>
  /** Takes a user out of the configuration, and lets the server know it. */
  removeUser(as: string): Promise<void>
  /** Connects with a seed. The connection comes back after no cut, so that each cut is seen. */
  connectAs(as: string, inbox: string, changes?: ConnectionOptions): Promise<NatsConnection>
  /** Starts a delivery node without a database in a group. */
  startNode(group: string, as?: string): Promise<Service>
  close(): Promise<void>
}

/** Opens it, with the users `publisher`, `eu`, `us`, `all`, and `anybody`, who has no limits. */
export async function openSecuredWorld(
  programs: Pick<OpenSecuredNats, 'program' | 'openssl'>,
): Promise<SecuredWorld> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const step of closing.toReversed()) await step()
  }
  try {
    return { ...(await open(programs, closing)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(
  programs: Pick<OpenSecuredNats, 'program' | 'openssl'>,
  closing: (() => unknown)[],
): Promise<Omit<SecuredWorld, 'close'>> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-seeds-'))
  closing.push(() => rm(directory, { recursive: true }))
  const server = await openSecuredNats({ ...programs, config: readGuideConfig() })
  closing.push(() => server.close())
  const nodes = await openNodes()
  closing.push(() => nodes.close())
  const api = await nodes.start('api,delivery')
  const [ours, theirs] = [await addOrganization(nodes, api), await addOrganization(nodes, api)]
  const publisherKeys = await readPublisherKeys(api)

  const natsSettings = {
    SIGNALBOX_NATS_URL: server.url,
    SIGNALBOX_NATS_GROUPS: `eu:${ours.orgId},us:${theirs.orgId}`,
  }
  const seedFileOf = (as: string) => join(directory, `${as}.seed`)
  const users = new Map<string, string>()
  const tell = () => server.setUsers([...users.values()])
  const addUser = async (name: string, as = name) => {
    const variables = {
      ...natsSettings,
      DATABASE_URL: nodes.databaseUrl,
      SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
    }
    users.set(as, (await runNatsUser(variables, name, seedFileOf(as))).entry)
    await tell()
  }
  const anybody = nkeys.createUser()
  await writeFile(seedFileOf('anybody'), anybody.getSeed())
  users.set('anybody', `{ nkey: ${anybody.getPublicKey()} }`)
  for (const name of ['publisher', 'eu', 'us', 'all']) await addUser(name)
  const connection = (as: string) => ({
    SIGNALBOX_NATS_CA_FILE: server.caFile,
    SIGNALBOX_NATS_SEED_FILE: seedFileOf(as),
  })
  await nodes.start('worker', {
    settings: {
      ...natsSettings,
      ...connection('publisher'),
      SIGNALBOX_PUBLIC_URL: 'https://signalbox.example.com',
    },
  })
  return {
    server,
    ours,
    theirs,
    addUser,
    async removeUser(as) {
      users.delete(as)
      await tell()
    },
    async connectAs(as, inbox, changes = {}) {
      const seed = new TextEncoder().encode((await readFile(seedFileOf(as), 'utf8')).trim())
      const opened = await connect({
        servers: server.url,
        reconnect: false,
        inboxPrefix: `_INBOX_${inbox}`,
        authenticator: nkeyAuthenticator(seed),
        tls: { caFile: server.caFile },
        ...changes,
      })
      closing.push(() => opened.close())
      return opened
    },
    startNode: (group, as = group) =>
      nodes.start('delivery', {
        settings: {
          ...connection(as),
          DATABASE_URL: '',
          SIGNALBOX_BOOTSTRAP_TOKEN: '',
          SIGNALBOX_ROOT_KEY: '',
          SIGNALBOX_NATS_URL: server.url,
          SIGNALBOX_NATS_GROUP: group,
          SIGNALBOX_PUBLISHER_KEYS: publisherKeys,
        },
      }),
  }
}

async function addOrganization(nodes: Nodes, api: Service): Promise<SecuredOrganization> {
  const { org, target, snapshot } = await nodes.addConfiguration(api)
  const body = { name: 'reader', kind: 'b2m' }
  const { secret } = await nodes.call<{ secret: string }>(api, `POST ${org}/api-keys`, body)
  return {
    orgId: org.replace('/organizations/', ''),
    async read({ configUrl }) {
      const headers = { authorization: `Bearer ${secret}` }
      const answer = await fetch(`${configUrl}${snapshot}`, { headers })
      const text = await answer.text()
      return [answer.status, ...(/"theme":"(\w+)"/.exec(text)?.slice(1) ?? [])].join(' ')
    },
    setTheme: (theme) =>
      nodes.call(api, `PUT ${org}/config-values`, { ...target, values: { theme } }),
  }
}

async function readPublisherKeys({ configUrl }: Service): Promise<string> {
  const answer = await fetch(`${configUrl}/.well-known/signalbox-keys`)
  const { keys } = (await answer.json()) as { readonly keys: readonly { readonly x: string }[] }
  return keys.map(({ x }) => x).join(',')
}
