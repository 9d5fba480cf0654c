import type { Tx } from '../../store/store.ts'

/** Describes what stands around a deployment: its repository at the code host, and its neighbours of the same repository and environment. */
export interface SurroundingsRow {
  readonly repositoryUrl: string | null
  /** The code host's id; `null`: only pipelines report the repository. */
  readonly repositoryExternalId: string | null
  /** The name of the connected code host. */
  readonly provider: string | null
  /** The workflow whose run made it; `null`: not known. */
  readonly madeBy: { readonly id: string; readonly name: string } | null
  readonly older: Neighbour | null
  readonly newer: Neighbour | null
}

interface Neighbour {
  readonly id: string
  readonly sha: string
}

const neighbour = (order: 'desc' | 'asc') => `left join lateral (
        select n.id, n.sha from deployments n
        where n.org_id = $1 and n.repository_id = d.repository_id and n.host_environment = d.host_environment
          and (n.created_at, n.id) ${order === 'desc' ? '<' : '>'} (d.created_at, d.id)
        order by n.created_at ${order}, n.id ${order} limit 1)`

/** Finds what stands around a deployment. */
export async function findSurroundings(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<SurroundingsRow | undefined> {
  const [row] = await tx.query<SurroundingsRow>({
    name: 'find-deployment-surroundings',
    text: `select r.url as "repositoryUrl", r.external_id as "repositoryExternalId",
        (select json_build_object('id', w.external_id, 'name', w.name) from workflows w
          where w.org_id = $1 and w.repository_id = d.repository_id and w.external_id = d.workflow_id) as "madeBy",
        (select i.provider from integrations i
          where i.org_id = $1 and i.kind = 'codehost' and i.state <> 'disconnected' limit 1) as provider,
        case when o.id is not null then json_build_object('id', o.id, 'sha', o.sha) end as older,
        case when n.id is not null then json_build_object('id', n.id, 'sha', n.sha) end as newer
      from deployments d join repositories r on r.org_id = $1 and r.id = d.repository_id
        ${neighbour('desc')} o on true
        ${neighbour('asc')} n on true
      where d.org_id = $1 and d.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Describes a workflow that can be started, as it was read last. */
export interface StartableWorkflowRow {
  readonly externalId: string
  readonly name: string
}

/** Lists the workflows of a deployment's repository that can be started on request, by name. */
export async function listStartableWorkflows(
  tx: Tx,
  orgId: string,
  deploymentId: string,
): Promise<StartableWorkflowRow[]> {
  return tx.query<StartableWorkflowRow>({
    name: 'list-startable-workflows',
    text: `select w.external_id as "externalId", w.name
      from deployments d join workflows w on w.org_id = $1 and w.repository_id = d.repository_id
      where d.org_id = $1 and d.id = $2 and w.state = 'active' and w.dispatchable
      order by lower(w.name), w.external_id`,
    values: [orgId, deploymentId],
  })
}
