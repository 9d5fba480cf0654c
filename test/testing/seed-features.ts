import { randomUUID } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import { defaultProof } from '@signalbox/contract'
import { newId } from '../../packages/server/src/crypto/ids.ts'
import type { Target } from './named-ids.ts'
import type { Maker } from './organization.ts'
import type { ProofService } from './proof-service.ts'

type SeededFeatures = Pick<
  Target,
  | 'whk'
  | 'sig'
  | 'pln'
  | 'rtp'
  | 'prf'
  | 'chk'
  | 'gat'
  | 'gdc'
  | 'prv'
  | 'msg'
  | 'tgt'
  | 'dep'
  | 'run'
  | 'dsp'
  | 'rte'
  | 'ntf'
  | 'dlv'
  | 'job'
  | 'sync'
  | 'issueSync'
  | 'cursors'
>

/** Adds two of everything: what people and pipelines record through the API, what providers bring as rows. */
export async function seedFeatures(
  { asOwner }: Pick<ProofService, 'asOwner'>,
  maker: Maker,
  { org, slug, envName, env, sch }: Pick<Target, 'org' | 'slug' | 'envName' | 'env' | 'sch'>,
): Promise<SeededFeatures> {
  const at = new Date()
  const root = `/organizations/${org}`
  const rows = rowsOf(asOwner)
  const of = { org_id: org }
  await rows(
    'integrations',
    [
      { ...of, id: newId('int', at), kind: 'codehost', provider: 'github' },
      { ...of, id: newId('int', at), kind: 'tracker', provider: 'jira' },
      { ...of, id: newId('int', at), kind: 'chat', provider: 'slack' },
    ].map((row) => ({ ...row, state: 'connected', ...accountOf(slug) })),
  )
  const deploy = () =>
    maker.call<{ id: string }>(`POST ${root}/deployments`, {
      repository: `${slug}/shop`,
      sha: 'b'.repeat(40),
      ref: 'main',
      environment: envName,
      state: 'success',
      commitMessages: [`ABC-1 Fix ${slug}`],
    })
  const [{ id: dep }] = [await deploy(), await deploy()]
  const test = () =>
    maker.call<{ id: string }>(`POST ${root}/test-runs`, {
      name: `${slug} tests`,
      deploymentId: dep,
    })
  const [{ id: run }] = [await test(), await test()]
  const [rte, dlv] = [newId('rte', at), newId('dlv', at)]
  const [sync, issueSync] = [newId('syn', new Date()), newId('syn', new Date())]
  const job = newId('job', at)
  const dsp = newId('dsp', at)
  await asOwner(
    `insert into workflow_dispatches (org_id, id, repository_id, workflow_id, ref, state, requested_by, requested_at)
      select org_id, unnest($3::text[]), repository_id, $4, 'main', 'ambiguous', $5, $6
      from deployments where org_id = $1 and id = $2`,
    [
      org,
      dep,
      [dsp, newId('dsp', at)],
      `${slug}.yml`,
      { type: 'system', id: null, name: slug },
      at,
    ],
  )
  await rows(
    'notification_routes',
    [rte, newId('rte', at)].map((id) => ({
      ...of,
      id,
      name: `${slug} route`,
      channel_id: 'C0DEPLOYS1',
      channel_name: slug,
      match: '{"environmentIds":null,"branches":null,"states":"always"}',
      events: '{deployment}',
    })),
  )
  const ntf = newId('ntf', at)
  await rows('notifications', [
    {
      ...of,
      id: ntf,
      subject_kind: 'deployment',
      subject_id: dep,
      // That of a route which is gone.
      route_id: newId('rte', at),
      state: 'broken',
      reason: 'channel_not_found',
      channel_id: 'C0DEPLOYS1',
    },
  ])
  await rows(
    'received_webhooks',
    [dlv, newId('dlv', at)].map((id) => ({
      ...of,
      id,
      provider: 'github',
      delivery_id: `${slug} ${id}`,
      event: 'ping',
      // The first was done; the other one failed for good.
      state: id === dlv ? 'done' : 'dead',
      origin: 'push',
      headers: '{}',
      body: brotliCompressSync(JSON.stringify({ zen: slug })),
    })),
  )
  await rows(
    'failed_jobs',
    [job, newId('job', at)].map((id) => ({
      ...of,
      id,
      queue: 'notifications.refresh',
      job_id: randomUUID(),
      data: JSON.stringify({ orgId: org, id }),
      data_hash: Buffer.from(id),
      subject_id: dep,
      cause: 'failed',
      reason: `${slug} is away`,
      attempts: 12,
      failed_at: at,
    })),
  )
  const progress = { done: 1, total: 1 }
  await rows(
    'syncs',
    [
      { id: sync, depth: 'full' },
      { id: issueSync, depth: 'issues' },
    ].map((row) => ({
      ...of,
      ...row,
      state: 'done',
      finished_at: at,
      detail: slug,
      progress: JSON.stringify({
        repositories: progress,
        environments: progress,
        deployments: progress,
        missedWebhooks: 0,
      }),
    })),
  )
  const hook = (name: string) =>
    maker.call<{ id: string }>(`POST ${root}/outgoing-webhooks`, {
      name: `${slug} ${name}`,
      url: `https://hooks.invalid/${slug}`,
      events: ['config.changed'],
      // Nothing is sent but tests, so that no other proof waits for an address that is none.
      enabled: false,
    })
  const [{ id: whk }] = [await hook('first'), await hook('second')]
  const listen = (name: string) =>
    maker.call<{ id: string }>(`POST ${root}/signals`, {
      name: `${slug} ${name}`,
      spec: { kind: 'alert' },
    })
  const [{ id: sig }] = [await listen('first'), await listen('second')]
  const pln = newId('pln', at)
  await rows(
    'rollout_plans',
    [pln, newId('pln', at)].map((id) => ({
      ...of,
      id,
      schema_id: sch,
      environment_id: env,
      flag: `${slug} ${id}`,
      rule_id: newId('rul', at),
      steps: '[{"percent":5,"holdMinutes":60,"at":null,"versionId":null}]',
      position: 0,
      state: 'paused',
      next_at: at,
      covered: '{}',
      author: '{"type":"user","id":"usr_1","name":"Ada"}',
      created_at: at,
      updated_at: at,
    })),
  )
  const prf = newId('prf', at)
  await rows(
    'proofs',
    [prf, newId('prf', at)].map((id, index) => ({
      ...of,
      id,
      schema_id: sch,
      environment_id: env,
      version: 1_000 + index,
      version_id: newId('ver', at),
      write_id: id,
      origins: '[]',
      keys: '{}',
      reached: '{}',
      killed_keys: '{}',
      terms: JSON.stringify({ ...defaultProof, signals: [sig] }),
      state: 'watching',
      started_at: at,
      watched_at: at,
      until: at,
    })),
  )
  const chk = newId('chk', at)
  await asOwner(
    `insert into commit_checks (org_id, id, repository_id, sha, is_fork, conclusion, results, uploaded_at, checked_at, report_state)
      select org_id, i.id, repository_id, repeat(left(md5(i.id), 20), 2), false, 'success', '[]', $4, $4, 'none'
      from deployments, unnest($3::text[]) as i (id) where org_id = $1 and deployments.id = $2`,
    [org, dep, [chk, newId('chk', at)], at],
  )
  const gat = newId('gat', at)
  await rows(
    'gates',
    [gat, newId('gat', at)].map((id) => ({
      ...of,
      id,
      name: `${slug} ${id}`,
      environment_ids: [env],
      repositories: [`${slug}/other`],
      mode: 'enforce',
      rules: '[{"rule":"approvals","count":1,"members":[]}]',
      created_at: at,
      updated_at: at,
    })),
  )
  const gdc = newId('gdc', at)
  await asOwner(
    `insert into gate_decisions (org_id, id, repository_id, sha, is_fork, host_environment, environment_id, run_id, attempt, via, state,
        reasons, waited_for, asked_at, heard_at, judge_at, answer_state)
      select org_id, i.id, repository_id, sha, false, $4, environment_id, i.id, 1, 'step', 'waiting', $5, '1 approval', $6, $6,
        'infinity', 'none'
      from deployments, unnest($3::text[]) as i (id) where org_id = $1 and deployments.id = $2`,
    [
      org,
      dep,
      [gdc, newId('gdc', at)],
      envName,
      JSON.stringify([
        {
          gateId: gat,
          code: 'approvals',
          state: 'waiting',
          isWatched: false,
          text: `${slug} waits`,
          nextStep: null,
        },
      ]),
      at,
    ],
  )
  const prv = newId('prv', at)
  await rows('preview_rules', [
    {
      ...of,
      id: prv,
      pattern: 'seeded-*',
      repositories: [`${slug}/other`],
      parent_id: env,
      secrets: [],
      expires_days: 14,
      max: 5,
      created_at: at,
      updated_at: at,
    },
  ])
  const rtp = newId('rtp', at)
  await rows(
    'release_templates',
    [rtp, newId('rtp', at)].map((id) => ({
      ...of,
      id,
      name: `${slug} ${id}`,
      steps: '[{"percent":5,"holdMinutes":60}]',
      created_at: at,
    })),
  )
  const msg = newId('msg', at)
  const message = { ...of, webhook_id: whk, type: 'config.changed', data: '{}', state: 'sent' }
  await rows(
    'outgoing_messages',
    [msg, newId('msg', at)].map((id) => ({ ...message, id, sent_at: at, created_at: at })),
  )
  const tgt = newId('tgt', at)
  await rows(
    'targets',
    [tgt, newId('tgt', at)].map((id) => ({
      ...of,
      id,
      name: slug,
      schema_id: sch,
      environment_id: env,
      provider: 'github',
      destination: JSON.stringify({ repository: `${slug}/shop` }),
      address: `github:${id}`,
      address_data: '{}',
      destination_name: `${slug}/shop`,
      tiers: '{public}',
      keys: '{}',
      prefix: '',
      state: 'active',
      created_at: at,
    })),
  )
  await rows(
    'target_names',
    ['variable/ONE', 'variable/TWO'].map((slot) => ({
      ...of,
      target_id: tgt,
      slot,
      store: 'variable',
      name: slug.toUpperCase(),
      key: 'one',
      state: 'written',
      version: 1,
      written_at: at,
    })),
  )
  const cursorOf = async (path: string) =>
    (await maker.call<{ nextCursor: string | null }>(`GET ${root}/${path}limit=1`)).nextCursor ?? ''
  return {
    dep,
    run,
    dsp,
    rte,
    ntf,
    dlv,
    whk,
    sig,
    pln,
    rtp,
    prf,
    chk,
    gat,
    gdc,
    prv,
    msg,
    tgt,
    job,
    sync,
    issueSync,
    cursors: {
      listProofs: await cursorOf('proofs?'),
      listCommitChecks: await cursorOf('commit-checks?'),
      listGates: await cursorOf('gates?'),
      listGateDecisions: await cursorOf('gate-decisions?'),
      listOutgoingWebhooks: await cursorOf('outgoing-webhooks?'),
      listOutgoingMessages: await cursorOf(`outgoing-webhooks/${whk}/messages?`),
      listSignals: await cursorOf('signals?'),
      listRolloutPlans: await cursorOf('rollout-plans?'),
      listReleaseTemplates: await cursorOf('release-templates?'),
      listTargets: await cursorOf('targets?'),
      listTargetNames: await cursorOf(`targets/${tgt}/names?`),
      listDeployments: await cursorOf('deployments?'),
      listChanges: await cursorOf('changes?'),
      listDispatches: await cursorOf('integrations/codehost/dispatches?'),
      listTestRuns: await cursorOf(`test-runs?deploymentId=${dep}&`),
      listNotificationRoutes: await cursorOf('notification-routes?'),
      listFailedJobs: await cursorOf('failed-jobs?'),
      listWebhookDeliveries: await cursorOf('webhook-deliveries?'),
    },
  }
}

function accountOf(slug: string) {
  const account = { id: `account of ${slug}`, name: slug, url: null }
  return { account_id: account.id, account: JSON.stringify(account) }
}

/** Inserts rows that all have the same columns. */
function rowsOf(asOwner: ProofService['asOwner']) {
  return async (table: string, rows: readonly Readonly<Record<string, unknown>>[]) => {
    for (const row of rows) {
      const columns = Object.keys(row)
      const places = columns.map((_, i) => `$${i + 1}`)
      await asOwner(
        `insert into ${table} (${columns.join()}) values (${places.join()})`,
        Object.values(row),
      )
    }
  }
}
