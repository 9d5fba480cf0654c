import { read, type Client } from '../http.ts'
import { makeAbsent } from './tenancy-cases.ts'
import type { Target } from '../named-ids.ts'
import type { Inhabited } from '../target.ts'
import type { ProofService } from '../proof-service.ts'

const deployment = {
  repository: 'acme/gone',
  sha: 'c'.repeat(40),
  ref: 'main',
  environment: 'gone',
  state: 'success',
}

interface Made {
  readonly id: string
  readonly items?: readonly { readonly id: string }[]
}

/** Makes things in an organization, deletes them, and returns their ids. Of what is never deleted, ids that nothing has. */
export async function makeDeleted(
  { asOwner }: Pick<ProofService, 'asOwner'>,
  client: Client,
  { target, credentials }: Inhabited,
): Promise<Target> {
  const { headers } = credentials.owner
  const call = async (request: string, json?: object): Promise<Made> => {
    const [method = '', path = ''] = request.split(' ')
    const answer = await client.send({ method, path, json, headers })
    return answer.status === 204 ? { id: '' } : (read(answer) as Made)
  }
  const root = `/organizations/${target.org}`
  const { id: env } = await call(`POST ${root}/environments`, { name: 'gone-env' })
  const { id: otherEnv } = await call(`POST ${root}/environments`, { name: 'gone-too' })
  const schema = { name: 'gone-app', schema: { a: { type: 'string' } } }
  const { id: sch } = await call(`POST ${root}/config-schemas`, schema)
  for (const a of ['b', 'c']) {
    const body = { schemaId: sch, environmentId: env, values: { a } }
    await call(`PUT ${root}/config-values`, body)
  }
  const path = `${root}/config-versions?schemaId=${sch}&environmentId=${env}`
  const [ver, otherVer] = (await call(`GET ${path}`)).items ?? []
  const { id: dep } = await call(`POST ${root}/deployments`, deployment)
  const test = { name: 'gone', deploymentId: dep }
  const { id: run } = await call(`POST ${root}/test-runs`, test)
  // Deployments end with their repository, which is forgotten long after it was removed.
  await asOwner(`delete from repositories where full_name = 'acme/gone'`)
  const { id: pat } = await call('POST /me/tokens', { name: 'gone' })
  const { id: org } = await call('POST /organizations', { name: 'Gone' })
  await call(`DELETE /me/tokens/${pat}`)
  await call(`DELETE ${root}/config-schemas/${sch}?force=true`)
  for (const id of [env, otherEnv]) await call(`DELETE ${root}/environments/${id}?force=true`)
  await call(`DELETE /organizations/${org}`)
  return {
    ...makeAbsent(target),
    org,
    slug: 'gone',
    env,
    otherEnv,
    sch,
    pat,
    dep,
    run,
    envName: 'gone-env',
    schName: 'gone-app',
    ver: ver?.id ?? '',
    otherVer: otherVer?.id ?? '',
  }
}
