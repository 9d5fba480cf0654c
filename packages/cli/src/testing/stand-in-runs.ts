import { StandInError, type Handler } from './stand-in-state.ts'

/** The run that the stand-in records. */
export const standInRunId = `run_${'0'.repeat(26)}`

const answer = (failed: number) => ({
  id: standInRunId,
  deploymentId: null,
  name: 'Tests',
  state: failed > 0 ? 'failed' : 'passed',
  passed: 41,
  failed,
  skipped: 2,
  flaky: 0,
  durationMs: 63_200,
  warnings: failed > 0 ? ['Another commit was tested than the one that is deployed.'] : [],
})

/** A check in which production lacks what every definition requires here. */
const check = ({
  schema,
  repository = 'acme/shop',
  sha = 'c'.repeat(40),
}: Record<string, unknown>) => ({
  id: `chk_${'0'.repeat(26)}`,
  repository,
  sha,
  ref: null,
  pullRequest: null,
  conclusion: 'failure',
  schemas: [
    {
      name: schema,
      environments: [
        {
          environment: 'production',
          production: true,
          result: 'missing',
          missing: ['token'],
          invalid: [],
          breaking: [],
        },
      ],
    },
  ],
  report: { kind: 'check_run', state: 'waiting', detail: null, nextStep: null },
})

/** A deployment to production waits for people. Others may go on. */
const decision = ({ environment, sha = 'c'.repeat(40) }: Record<string, unknown>) => ({
  id: `gdc_${'0'.repeat(26)}`,
  state: environment === 'production' ? 'waiting' : 'passed',
  repository: 'acme/shop',
  sha,
  hostEnvironment: environment,
  environment,
  reasons: [
    {
      code: 'approvals',
      state: environment === 'production' ? 'waiting' : 'met',
      isWatched: false,
      text: 'Waits for 1 approval.',
      nextStep: null,
    },
  ],
  approvals: [],
  decidedBy: null,
  comment: null,
})

/** Deployments and test runs: what is uploaded with `failure` in its shard has failed, and with `refused` is. */
export const runHandlers: readonly (readonly [string, Handler])[] = [
  [
    'POST /organizations/{org}/deployments',
    () => ({ status: 201, body: { id: `dep_${'0'.repeat(26)}` } }),
  ],
  ['POST /organizations/{org}/commit-checks', ({ body }) => ({ status: 200, body: check(body) })],
  ['POST /organizations/{org}/gate', ({ body }) => ({ status: 200, body: decision(body) })],
  ['POST /organizations/{org}/test-runs', () => ({ status: 201, body: answer(0) })],
  [
    'POST /organizations/{org}/test-runs/{run}/report',
    ({ query }) => {
      const shard = query.get('shard') ?? ''
      if (shard.includes('refused')) {
        throw new StandInError('invalid_report', 'The report is not well-formed XML.')
      }
      return { status: 200, body: answer(shard.includes('failure') ? 1 : 0) }
    },
  ],
]
