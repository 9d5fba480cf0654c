import type { UserActor } from '../../../http/admission/actor.ts'
import { addMember } from '../../testing/add-member.ts'
import type { Answer, ConfigApp } from '../../testing/open-config-app.ts'

const people = {
  ada: 'developer',
  ben: 'developer',
  cleo: 'developer',
  dan: 'admin',
  vic: 'viewer',
} as const

type Person = keyof typeof people

/** Makes a schema in production, which needs one approval, and in staging, with five members who are signed in. */
export async function makeProtected(app: ConfigApp) {
  const ids: Partial<Record<Person, string>> = {}
  for (const [name, role] of Object.entries(people) as [Person, (typeof people)[Person]][]) {
    const userId = await addMember(app, name, role)
    ids[name] = userId
    const actor: UserActor = {
      ...app.person(name),
      userId,
      via: 'session',
      authenticatedAt: new Date(),
    }
    app.setActor(name, actor, role)
    if (name === 'ben') app.setActor('token', { ...actor, via: 'token' }, role)
  }
  const staging = await app.addEnvironment('staging')
  const production = await app.addEnvironment('production')
  const text = { type: 'string', tier: 'public' } as const
  const schema = {
    title: text,
    subtitle: text,
    stripeKey: { type: 'string', tier: 'secret' },
    checkout: { type: 'boolean', tier: 'featureFlags', killSwitch: true },
    banner: { type: 'boolean', tier: 'featureFlags' },
  } as const
  const schemaId = await app.addSchema('web', schema)
  const set = (as: string, values: object, environmentId = production): Promise<Answer> =>
    app.call(as, 'PUT /config-values', { body: { schemaId, environmentId, values } })
  const first = {
    title: 'One',
    subtitle: 'Sub',
    stripeKey: 'sk_live_1',
    checkout: true,
    banner: true,
  }
  for (const environmentId of [staging, production]) await set('m2m', first, environmentId)
  await app.ok('admin', `PATCH /environments/${production}`, {
    body: { protection: { approvals: 1 } },
  })
  const review = (as: string, id: string, verdict = 'approve', revision = 1): Promise<Answer> =>
    app.call(as, `POST /change-requests/${id}/reviews`, { body: { revision, verdict } })
  return {
    ids: ids as Record<Person, string>,
    staging,
    production,
    schema,
    text,
    schemaId,
    set,
    review,
    /** Asks for values of production. */
    ask: (as: string, values: object): Promise<Answer> =>
      app.call(as, 'PUT /config-values', {
        headers: { prefer: 'respond-async' },
        body: { schemaId, environmentId: production, values },
      }),
    /** Makes a request, approves it as another member, and applies it. */
    async carryOut(request: object): Promise<void> {
      const { body } = await app.ok('ada', 'POST /change-requests', { body: request })
      const reviewed = await review('cleo', body.id)
      if (reviewed.status !== 200) throw new Error(reviewed.text)
      await app.ok('ada', `POST /change-requests/${body.id}/apply`)
    },
    /** Returns what readers get. */
    async read(environmentId = production): Promise<Record<string, unknown>> {
      const query = `schemaId=${schemaId}&environmentId=${environmentId}`
      const { values } = (await app.ok('m2m', `GET /config-values?${query}`)).body
      return Object.fromEntries(
        Object.entries(values as Record<string, { value: unknown }>).map(([key, { value }]) => [
          key,
          value,
        ]),
      )
    },
    /** Counts the revisions of which something sealed is kept. */
    async sealed(): Promise<number> {
      const rows = await app.test.asOwner(
        'select 1 from change_request_revisions where org_id = $1 and sealed is not null',
        [app.orgId],
      )
      return rows.length
    },
  }
}

export type Protected = Awaited<ReturnType<typeof makeProtected>>
