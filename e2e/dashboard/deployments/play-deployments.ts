import type { Connected } from '../../../packages/server/src/start/testing/open-connected.ts'

interface NewDeployment {
  /** Its full name; `acme/shop` left out. */
  readonly repository?: string
  readonly environment?: string
  readonly state?: 'in_progress' | 'success' | 'failure'
  readonly ref?: string
  /** The whole message of the commit. */
  readonly message?: string
}

interface Made {
  readonly id: string
}

/** Plays the pipelines of Acme's shop and the results of its tests. */
export interface Pipeline {
  readonly deploy: (told?: NewDeployment) => Promise<string>
  /** Reports a finished test run of a deployment, and answers its id. */
  readonly test: (deploymentId: string, result: { readonly failed?: number }) => Promise<string>
  /** As if a deployment and its test runs had been so many days ago. */
  readonly age: (deploymentId: string, days: number) => Promise<void>
  /** As if its first commit had been made so many hours before it went live. */
  readonly lead: (deploymentId: string, hours: number) => Promise<void>
}

/** A pipeline of an organization. */
export function openPipeline({ ask, asOwner, orgId }: Connected): Pipeline {
  let count = 0
  return {
    async deploy({
      repository = 'acme/shop',
      environment = 'staging',
      state = 'success',
      ref = 'main',
      message,
    } = {}) {
      count += 1
      const made = await ask<Made>('POST /deployments', {
        repository,
        sha: count.toString(16).padStart(40, 'abcdef0123456789'),
        ref,
        environment,
        state,
        externalId: `build-${count}`,
        commitMessages: [message ?? `Change number ${count}`],
      })
      return made.id
    },
    async test(deploymentId, { failed = 0 }) {
      const { id } = await ask<Made>('POST /test-runs', { deploymentId, name: 'End to end' })
      await ask(`PATCH /test-runs/${id}`, {
        state: failed > 0 ? 'failed' : 'passed',
        passed: 412 - failed,
        failed,
        skipped: 2,
        durationMs: 74_000 + 1000 * failed,
      })
      return id
    },
    async age(deploymentId, days) {
      const moved = (column: string) =>
        `${column} = ${column} - make_interval(secs => 86400 * $3::float8)`
      await asOwner(
        `update deployments set ${['created_at', 'started_at', 'finished_at', 'succeeded_at'].map(moved).join(', ')}
          where org_id = $1 and id = $2`,
        [orgId, deploymentId, days],
      )
      await asOwner(
        `update test_runs set ${['created_at', 'started_at', 'finished_at'].map(moved).join(', ')}
          where org_id = $1 and deployment_id = $2`,
        [orgId, deploymentId, days],
      )
    },
    async lead(deploymentId, hours) {
      await asOwner(
        `update deployments set first_committed_at = succeeded_at - make_interval(hours => $3)
          where org_id = $1 and id = $2`,
        [orgId, deploymentId, hours],
      )
    },
  }
}

/** Text as people write it who mean harm, or who write from right to left, or at length. */
export const hostileText = `<img src=x onerror="document.title='taken'"> \u202Eevil\u202C ${'endless'.repeat(40)}`

/** Looks with the rights of `role` until `look` has ended. */
export async function asRole(
  { asOwner, orgId }: Connected,
  role: 'viewer' | 'developer',
  look: () => Promise<void>,
): Promise<void> {
  const set = (to: string) => asOwner('update members set role = $2 where org_id = $1', [orgId, to])
  await set(role)
  try {
    await look()
  } finally {
    await set('owner')
  }
}
