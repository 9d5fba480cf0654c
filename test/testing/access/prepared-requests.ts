import { randomUUID } from 'node:crypto'
import type { OperationId } from '@signalbox/contract/rest'
import { TOTP } from 'otpauth'
import { bearer, read, type Ask, type Client } from '../http.ts'
import type { ProviderWorld } from '../provider-world.ts'
import { draft, toAsk } from '../request-table.ts'
import { password, type Inhabited, type TargetMaker } from '../target.ts'

/** Holds what the bodies and paths of the requests name. */
export interface Supplies {
  readonly world: ProviderWorld
  readonly api: Client
  readonly maker: TargetMaker
}

/** The organization that a request is about, and who asks. */
interface Prepared extends Supplies, Inhabited {
  /** Asks as the owner. */
  readonly call: (request: string, json?: object) => Promise<unknown>
}

/** Makes what a request is about, and returns what it has besides what the table says. */
type Preparation = (prepared: Prepared) => Promise<Partial<Ask> | void>

/** Returns the request of an owner that is done, and makes before what it needs. */
export async function prepareRequest(
  supplies: Supplies,
  operationId: OperationId,
  inhabited: Inhabited,
): Promise<Ask> {
  const { headers } = inhabited.credentials.owner
  const call: Prepared['call'] = async (request, json) => {
    const [method = '', path = ''] = request.split(' ')
    return read(await supplies.api.send({ method, path, json, headers }))
  }
  const further = await preparations[operationId]?.({ ...supplies, ...inhabited, call })
  return { ...toAsk(draft(operationId, inhabited.target)), ...further }
}

/** Returns whether something is made before the request. */
export const isPrepared = (operationId: OperationId) => operationId in preparations

/** Begins a rollout of the flag of a schema of its own, and returns its path. */
async function beginRollout({ target: { org, env }, call }: Prepared): Promise<string> {
  const root = `/organizations/${org}`
  const beta = { type: 'boolean', tier: 'featureFlags', default: false }
  const name = `rollout-${randomUUID()}`
  const made = await call(`POST ${root}/config-schemas`, { name, schema: { beta } })
  const pair = { schemaId: (made as { id: string }).id, environmentId: env }
  await call(`PUT ${root}/config-values`, { ...pair, values: { beta: true } })
  const steps = [5, 25].map((percent) => ({ percent, holdMinutes: 60 }))
  const plan = await call(`POST ${root}/rollout-plans`, { ...pair, flag: 'beta', steps })
  return `${root}/rollout-plans/${(plan as { id: string }).id}`
}

const preparations: Partial<Record<OperationId, Preparation>> = {
  async acceptInvitation({ api, maker, world, call }) {
    const { email } = await readPerson(call)
    const { org } = await maker.target('Inviting')
    const path = `/organizations/${org}/invitations`
    const headers = bearer(world.proof.bootstrapToken)
    const made = await api.send({ method: 'POST', path, json: { email, role: 'viewer' }, headers })
    return { json: { token: (read(made) as { url: string }).url.split('#')[1] } }
  },
  /** Takes out a member who is in the group. */
  async removeGroupMember({ target, call }) {
    const { org, grp, usr } = target
    await call(`PUT /organizations/${org}/groups/${grp}/members/${usr}`)
  },
  confirmSession: async () => ({ json: { password } }),
  changePassword: async () => ({
    json: { currentPassword: password, newPassword: `${password} 2` },
  }),
  async confirmSecondFactor({ call }) {
    const { secret } = (await call('POST /me/second-factor')) as { secret: string }
    return { json: { code: new TOTP({ secret }).generate() } }
  },
  async removeSecondFactor({ call, world }) {
    const { id } = await readPerson(call)
    await world.proof.asOwner(
      `insert into second_factors (user_id, sealed, created_at, confirmed_at) values ($1, '', now(), now())
        on conflict (user_id) do update set confirmed_at = now()`,
      [id],
    )
  },
  async endSession(prepared) {
    await addSession(prepared)
    const { items } = (await prepared.call('GET /sessions')) as {
      items: { id: string; current: boolean }[]
    }
    return { path: `/sessions/${items.find(({ current }) => !current)?.id ?? ''}` }
  },
  endOtherSessions: addSession,
  async claimDevice(prepared) {
    return { json: { userCode: await askForDevice(prepared) } }
  },
  approveDevice: claimDevice,
  denyDevice: claimDevice,
  /** Stores an application with a secret in place of another one, which can be ended then. */
  async endPreviousSecret({ api, world }) {
    const { id, slug, clientId, clientSecret, privateKey } = world.sandbox.github.app
    const app = { provider: 'github', appId: String(id), slug, clientId, clientSecret, privateKey }
    for (const webhookSecret of ['the-first-webhook-secret', 'the-second-webhook-secret']) {
      const json = { ...app, webhookSecret }
      const path = '/server/provider-apps/github'
      const headers = bearer(world.proof.bootstrapToken)
      read(await api.send({ method: 'PUT', path, json, headers }))
    }
  },
  /** Makes the failed job of the organization one of the server. */
  async retryServerFailedJob({ target, world }) {
    const sql = 'update failed_jobs set org_id = null, retried_at = null where id = $1'
    await world.proof.asOwner(sql, [target.job])
  },
  /** Makes nobody know whether the message arrived: only such a one is settled. */
  async settleNotification({ target, world }) {
    const sql = `update notifications set state = 'broken', reason = 'outcome_unknown' where id = $1`
    await world.proof.asOwner(sql, [target.ntf])
  },
  async stopProof({ target, world }) {
    const sql = `update proofs set state = 'watching', ended_at = null where id = $1`
    await world.proof.asOwner(sql, [target.prf])
  },
  /** Makes an environment of its own the preview of a pull request. */
  async deletePreviewEnvironment({ target: { org, dep }, call, world }) {
    const name = `pr-${randomUUID().slice(0, 8)}`
    const made = await call(`POST /organizations/${org}/environments`, { name })
    const { id } = made as { id: string }
    await world.proof.asOwner(
      `update environments e set source = jsonb_build_object('repositoryId', d.repository_id, 'externalId', null, 'repository', 'made/shop',
          'pullRequest', 7, 'hostEnvironment', e.name), inherited_secrets = '{}'
        from deployments d where d.org_id = $1 and d.id = $2 and e.org_id = $1 and e.id = $3`,
      [org, dep, id],
    )
    await world.proof.asOwner(
      `insert into previews (org_id, repository_id, host_environment, pull_request, environment_id, name, state, created_at)
        select org_id, repository_id, $3, 7, $4, $3, 'live', now() from deployments where org_id = $1 and id = $2`,
      [org, dep, name, id],
    )
    return { path: `/organizations/${org}/preview-environments/${id}` }
  },
  approveGateDecision: letWait,
  overrideGateDecision: letWait,
  refuseGateDecision: letWait,
  /** A flag is rolled out where it is set. */
  async createRolloutPlan({ target: { org, sch, env }, call }) {
    const body = { schemaId: sch, environmentId: env, values: { beta: true } }
    await call(`PUT /organizations/${org}/config-values`, body)
  },
  pauseRolloutPlan: async (prepared) => ({ path: `${await beginRollout(prepared)}/pause` }),
  async resumeRolloutPlan(prepared) {
    const path = await beginRollout(prepared)
    await prepared.call(`POST ${path}/pause`)
    return { path: `${path}/resume` }
  },
  advanceRolloutPlan: async (prepared) => ({ path: `${await beginRollout(prepared)}/next` }),
  async returnRolloutPlan(prepared) {
    const path = await beginRollout(prepared)
    await prepared.call(`POST ${path}/next`)
    return { path: `${path}/back` }
  },
  stopRolloutPlan: async (prepared) => ({ path: `${await beginRollout(prepared)}/stop` }),
  restoreRolloutPlan: async (prepared) => ({ path: `${await beginRollout(prepared)}/restore` }),
  async reviseChangeRequest(prepared) {
    const { path } = await askForChange(prepared)
    return { path, headers: { 'if-match': '"1"' } }
  },
  /** As if another member had asked, in an environment where the owner approves. */
  async reviewChangeRequest(prepared) {
    const { path, id, environmentId } = await askForChange(prepared)
    const { proof } = prepared.world
    await proof.asOwner('update environments set approvals = 1 where id = $1', [environmentId])
    const sql = `update change_request_revisions set author_id = 'usr_other' where request_id = $1`
    await proof.asOwner(sql, [id])
    return { path: `${path}/reviews` }
  },
  applyChangeRequest: async (prepared) => ({
    path: `${(await askForChange(prepared)).path}/apply`,
  }),
  async overrideChangeRequest(prepared) {
    return { path: `${(await askForChange(prepared)).path}/override` }
  },
  async scheduleChangeRequest(prepared) {
    return { path: `${(await askForChange(prepared)).path}/schedule` }
  },
  async withdrawChangeRequest(prepared) {
    return { path: `${(await askForChange(prepared)).path}/withdraw` }
  },
  /** As if another member had applied it without the approvals. */
  async acknowledgeChangeRequest(prepared) {
    const { path, id } = await askForChange(prepared)
    const by = { type: 'user', id: 'usr_other', name: 'Other' }
    const overridden = { member: by, comment: 'made in an emergency', at: new Date().toISOString() }
    const sql = `update change_requests set state = 'applied', overridden = $2 where id = $1`
    await prepared.world.proof.asOwner(sql, [id, JSON.stringify(overridden)])
    return { path: `${path}/acknowledge` }
  },
  /** Pausing a webhook that is off changes nothing. */
  async pauseOutgoingWebhook({ target, world }) {
    const sql = 'update outgoing_webhooks set enabled = true where id = $1'
    await world.proof.asOwner(sql, [target.whk])
  },
}

/** Lets a deployment wait for people, whatever was decided about it before. */
async function letWait({ target, world }: Prepared): Promise<void> {
  const sql = `update gate_decisions set state = 'waiting', judge_at = 'infinity' where id = $1`
  await world.proof.asOwner(sql, [target.gdc])
  const rules = '[{"rule":"approvals","count":1,"members":[]}]'
  await world.proof.asOwner('update gates set rules = $2 where id = $1', [target.gat, rules])
}

let askedCount = 0

/** Asks for a change of an environment of its own, so that nothing else is about it. */
async function askForChange({ target: { org, sch }, call }: Prepared) {
  askedCount += 1
  const root = `/organizations/${org}`
  const { id: environmentId } = (await call(`POST ${root}/environments`, {
    name: `asked-${askedCount}`,
  })) as { id: string }
  const body = { schemaId: sch, changes: [{ environmentId, set: { greeting: 'asked' } }] }
  const json = { title: 'asked', operation: { kind: 'values', body } }
  const { id } = (await call(`POST ${root}/change-requests`, json)) as { id: string }
  return { id, environmentId, path: `${root}/change-requests/${id}` }
}

const readPerson = async (call: Prepared['call']) =>
  (await call('GET /me')) as { readonly id: string; readonly email: string }

async function addSession({ call, world }: Prepared): Promise<void> {
  const { id } = await readPerson(call)
  await world.proof.asOwner(
    `insert into sessions (token_hash, user_id, expires_at) values (sha256(random()::text::bytea), $1, now() + interval '1 day')`,
    [id],
  )
}

/** Returns the code of a device that asks to be let in. */
async function askForDevice({ api }: Supplies): Promise<string> {
  const json = { client_id: 'signalbox-cli' }
  const asked = await api.send({ method: 'POST', path: '/oauth/device_authorization', json })
  return (read(asked) as { user_code: string }).user_code
}

/** Returns a request about a device whose code the owner has looked at. */
async function claimDevice(prepared: Prepared): Promise<Partial<Ask>> {
  const json = { userCode: await askForDevice(prepared) }
  await prepared.call('POST /device/claim', json)
  return { json }
}
