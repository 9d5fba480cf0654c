import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '@signalbox/contract'
import { newId } from '../../packages/server/src/crypto/ids.ts'
import { hashPassword } from '../../packages/server/src/crypto/passwords.ts'
import { read, type Client } from './http.ts'
import type { Target } from './named-ids.ts'
import { createMaker, type Maker } from './organization.ts'
import type { ProofService } from './proof-service.ts'
import { seedFeatures } from './seed-features.ts'

/** Describes the credential of a request. */
export interface Credential {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
}

/** An organization with people and keys of every kind. */
export interface Inhabited {
  readonly target: Target
  readonly credentials: {
    readonly owner: Credential
    readonly admin: Credential
    readonly developer: Credential
    readonly viewer: Credential
    readonly pat: Credential
    readonly m2m: Credential
    readonly restrictedM2m: Credential
    readonly b2m: Credential
    readonly accessToken: Credential
  }
  readonly secrets: { readonly m2m: string; readonly b2m: string; readonly pat: string }
}

/** Of everybody who signs in. */
export const password = 'correct horse battery staple'

/** Makes organizations with everything in them. */
export interface TargetMaker {
  /** An organization with environments, a schema, values, versions and a key, owned by the bootstrap token. */
  target(name: string): Promise<Target>
  /** The same with a person of each role and a key of each kind. */
  inhabited(name: string): Promise<Inhabited>
}

/** Opens a maker on a running service. */
export async function createTargetMaker(
  proof: Pick<ProofService, 'asOwner' | 'bootstrapToken'>,
  client: Client,
): Promise<TargetMaker> {
  const maker = createMaker(client, proof.bootstrapToken)
  const passwordHash = await hashPassword(password)
  const people = createPeople(proof, client, passwordHash)
  const target = async (name: string): Promise<Target> => ({
    ...(await makeTarget(proof, maker, name)),
    pat: newId('key', new Date()),
    agt: newId('key', new Date()),
  })
  return {
    target,
    async inhabited(name) {
      const made = await target(name)
      const { org, env } = made
      const signIn = (role: Role) => people.signIn(org, role)
      const [owner, admin, developer, viewer] = await Promise.all([
        signIn('owner'),
        signIn('admin'),
        signIn('developer'),
        signIn('viewer'),
      ])
      const keyOf = async (keyName: string, body: object) => {
        const { secret } = await maker.key(org, { name: keyName, ...body })
        return { secret, credential: bearing(keyName, secret) }
      }
      const m2m = await keyOf('m2m', { kind: 'm2m' })
      const b2m = await keyOf('b2m', { kind: 'b2m' })
      const restricted = await keyOf('restricted m2m', { kind: 'm2m', environmentIds: [env] })
      const pat = await people.makeToken(owner)
      await people.makeToken(owner)
      const agt = await people.makeAgentToken(owner, org)
      await people.makeAgentToken(owner, org)
      const cursorOf = async (path: string) => {
        const page = { method: 'GET', path: `${path}?limit=1`, headers: owner.headers }
        return (read(await client.send(page)) as { nextCursor: string }).nextCursor
      }
      const cursors = {
        listPersonalAccessTokens: await cursorOf('/me/tokens'),
        listAgentTokens: await cursorOf(`/organizations/${org}/agent-tokens`),
      }
      return {
        target: {
          ...made,
          pat: pat.id,
          agt: agt.id,
          cursors: { ...made.cursors, ...cursors },
        },
        credentials: {
          owner,
          admin,
          developer,
          viewer,
          pat: bearing('personal token', pat.secret),
          m2m: m2m.credential,
          restrictedM2m: restricted.credential,
          b2m: b2m.credential,
          accessToken: bearing('access token', await exchange(client, m2m.secret)),
        },
        secrets: { m2m: m2m.secret, b2m: b2m.secret, pat: pat.secret },
      }
    },
  }
}

/** A credential in the `Authorization` header. */
export function bearing(name: string, token: string): Credential {
  return { name, headers: { authorization: `Bearer ${token}` } }
}

async function makeTarget(
  proof: Pick<ProofService, 'asOwner'>,
  maker: Maker,
  name: string,
): Promise<Omit<Target, 'pat' | 'agt'>> {
  const { id: org, slug } = await maker.organization(name)
  const root = `/organizations/${org}`
  const envName = `${slug}-production`
  const { id: env } = await maker.environment(org, { name: envName })
  const { id: otherEnv } = await maker.environment(org, { name: `${slug}-staging` })
  const schName = `${slug}-app`
  const { id: sch } = await maker.schema(org, { name: schName, schema: targetDefinition(slug) })
  await maker.schema(org, { name: `${slug}-second`, schema: {} })
  for (const segment of [schName, `${slug}-second`]) {
    const when = [{ attribute: 'plan', operator: 'equals', value: slug }]
    await maker.call(`POST ${root}/segments`, { name: segment, anyOf: [{ when }] })
  }
  const when = [{ attribute: 'plan', operator: 'equals', value: `${slug} two` }]
  await maker.call(`PUT ${root}/segments/${schName}`, { anyOf: [{ when }] })
  for (const greeting of [`${slug} one`, `${slug} two`]) {
    const values = { greeting, password: `${greeting} in secret` }
    await maker.call(`PUT ${root}/config-values`, { schemaId: sch, environmentId: env, values })
  }
  const ask = async (greeting: string) => {
    const body = { schemaId: sch, changes: [{ environmentId: env, set: { greeting } }] }
    const operation = { kind: 'values', body }
    return maker.call<{ id: string }>(`POST ${root}/change-requests`, {
      title: greeting,
      operation,
    })
  }
  const [{ id: chr }] = [await ask(`${slug} three`), await ask(`${slug} four`)]
  const { id: key } = await maker.key(org, { name: `${slug} key`, kind: 'm2m' })
  await maker.key(org, { name: `${slug} second key`, kind: 'b2m' })
  const list = async (path: string) =>
    maker.call<{ items: { id: string }[]; nextCursor: string | null }>(`GET ${root}/${path}`)
  const pair = `schemaId=${sch}&environmentId=${env}`
  const usr = await addViewers(proof, org, slug)
  const invite = async (email: string) =>
    maker.call<{ id: string }>(`POST ${root}/invitations`, { email, role: 'viewer' })
  const [{ id: inv }] = [
    await invite(`${slug}-first@example.com`),
    await invite(`${slug}-second@example.com`),
  ]
  const grouped = await makeGroups(proof, maker, { org, slug })
  const directory = await addDirectory(proof, org)
  const { cursors, ...features } = await seedFeatures(proof, maker, {
    org,
    slug,
    envName,
    env,
    sch,
  })
  const { items: versions } = await list(`config-versions?${pair}`)
  const cursorOf = async (path: string) => (await list(path)).nextCursor ?? ''
  return {
    org,
    slug,
    env,
    otherEnv,
    envName,
    sch,
    schName,
    key,
    ver: versions[0]?.id ?? '',
    otherVer: versions[1]?.id ?? '',
    usr,
    inv,
    grp: grouped.grp,
    gra: grouped.gra,
    chr,
    ...directory,
    ...features,
    cursors: {
      ...cursors,
      listEnvironments: await cursorOf('environments?limit=1'),
      listConfigSchemas: await cursorOf('config-schemas?limit=1'),
      listSegments: await cursorOf('segments?limit=1'),
      listSegmentVersions: await cursorOf(`segments/${schName}/versions?limit=1`),
      listChangeRequests: await cursorOf('change-requests?limit=1'),
      listConfigVersions: await cursorOf(`config-versions?${pair}&limit=1`),
      listMembers: await cursorOf('members?limit=1'),
      listGroups: await cursorOf('groups?limit=1'),
      listGrants: await cursorOf('grants?limit=1'),
      listGroupMembers: await cursorOf(`groups/${grouped.full}/members?limit=1`),
      listInvitations: await cursorOf('invitations?limit=1'),
      listApiKeys: await cursorOf('api-keys?limit=1'),
      listAuditEvents: await cursorOf('audit-events?limit=1'),
    },
  }
}

/** Adds a group that has nobody, and one with members and two grants. */
async function makeGroups(
  { asOwner }: Pick<ProofService, 'asOwner'>,
  maker: Maker,
  { org, slug }: Pick<Target, 'org' | 'slug'>,
) {
  const root = `/organizations/${org}`
  const add = async (name: string) =>
    maker.call<{ id: string }>(`POST ${root}/groups`, { name: `${slug} ${name}` })
  const [{ id: grp }, { id: full }] = [await add('empty'), await add('full')]
  await asOwner(
    'insert into group_members (org_id, group_id, user_id) select org_id, $2, user_id from members where org_id = $1',
    [org, full],
  )
  const grant = async (role: 'editor' | 'reader') =>
    maker.call<{ id: string }>(`POST ${root}/grants`, { groupId: full, role })
  const [{ id: gra }] = [await grant('editor'), await grant('reader')]
  return { grp, full, gra }
}

/** Adds a verified domain, and the token of a directory. */
async function addDirectory(
  { asOwner }: Pick<ProofService, 'asOwner'>,
  org: string,
): Promise<Pick<Target, 'domain' | 'scm' | 'idp'>> {
  const domain = `${org.replace('_', '-')}.example`
  await asOwner(
    `insert into email_domains (org_id, domain, challenge, created_at, created_by, verified_at)
     values ($1, $2, 'made', now(), '{"type":"system","id":null,"name":"Test"}', now())`,
    [org, domain],
  )
  const scm = newId('key', new Date())
  await asOwner(
    `insert into scim_tokens (org_id, id, name, handle, hash, created_at, created_by)
     values ($1, $2, 'directory', $2, '', now(), '{"type":"system","id":null,"name":"Test"}')`,
    [org, scm],
  )
  const idp = newId('idp', new Date())
  await asOwner(
    `insert into sign_in_providers (org_id, id, name, issuer, client_id, sealed_secret, groups_claim, created_at, created_by)
     values ($1, $2, 'provider', 'https://id.invalid', 'made', '', 'groups', now(), '{"type":"system","id":null,"name":"Test"}')`,
    [org, idp],
  )
  return { domain, scm, idp }
}

/** Adds two members who never sign in. Answers the id of one. */
async function addViewers(
  { asOwner }: Pick<ProofService, 'asOwner'>,
  org: string,
  slug: string,
): Promise<string> {
  const ids = [newId('usr', new Date()), newId('usr', new Date())]
  for (const id of ids) {
    await asOwner('insert into users (id, email, name) values ($1, $2, $3)', [
      id,
      `${id}@example.com`,
      `${slug} viewer`,
    ])
    const member = `insert into members (org_id, user_id, role) values ($1, $2, 'viewer')`
    await asOwner(member, [org, id])
  }
  return ids[0] ?? ''
}

/** The schema of a target. Its texts name the organization, so that a leak is recognised. */
export function targetDefinition(slug: string): object {
  return {
    greeting: { type: 'string', tier: 'public', description: `Greets ${slug}` },
    password: { type: 'string', tier: 'secret' },
    beta: { type: 'boolean', tier: 'featureFlags', default: false },
    seats: { type: 'number', tier: 'public', targeted: true, default: 5 },
  }
}

function createPeople(
  { asOwner }: Pick<ProofService, 'asOwner'>,
  client: Client,
  passwordHash: string,
) {
  return {
    /** Adds a person to the organization who has just typed the password: to check it four times takes most of a second. */
    async signIn(orgId: string, role: Role): Promise<Credential> {
      const userId = newId('usr', new Date())
      const token = randomBytes(32).toString('base64url')
      await asOwner(
        `with person as (
           insert into users (id, email, name, password_hash) values ($1, $1 || '@example.com', $2, $3) returning id
         ), member as (
           insert into members (org_id, user_id, role) select $4, id, $5 from person
         )
         insert into sessions (token_hash, user_id, expires_at) select $6, id, now() + interval '1 day' from person`,
        [
          userId,
          `${role} of ${orgId}`,
          passwordHash,
          orgId,
          role,
          createHash('sha256').update(token).digest(),
        ],
      )
      const ownPage = { 'sec-fetch-site': 'same-origin', 'x-requested-by': 'signalbox' }
      return { name: `${role}'s session`, headers: { cookie: `__Host-s=${token}`, ...ownPage } }
    },
    /** Makes a personal access token for whoever is signed in. */
    async makeToken({ headers }: Credential): Promise<{ id: string; secret: string }> {
      const json = { name: 'token', manages: true }
      const answer = await client.send({ method: 'POST', path: '/me/tokens', headers, json })
      return read(answer) as { id: string; secret: string }
    },
    async makeAgentToken(
      { headers }: Credential,
      org: string,
    ): Promise<{ id: string; secret: string }> {
      const path = `/organizations/${org}/agent-tokens`
      const answer = await client.send({ method: 'POST', path, headers, json: { name: 'agent' } })
      return read(answer) as { id: string; secret: string }
    },
  }
}

/** The access token that an API key is exchanged for. */
async function exchange(client: Client, secret: string): Promise<string> {
  const me = await client.send({ method: 'GET', path: '/me', headers: bearing('', secret).headers })
  const { id } = read(me) as { id: string }
  const json = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const answer = await client.send({ method: 'POST', path: '/oauth/token', json })
  return (read(answer) as { access_token: string }).access_token
}
