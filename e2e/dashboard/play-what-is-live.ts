import { openPipeline } from './deployments/play-deployments.ts'
import { openDashboard, type Dashboard } from './open-dashboard.ts'

export const titles = [
  'ABC-1 Keep the currency of the basket',
  'ABC-2 Show the delivery date on each item of the basket, and on the page of the order',
  'Round the tax',
]
export const repositories = ['acme/shop', 'acme/payments-api', 'acme/warehouse-management']
const environments = ['development', 'staging', 'production']

/** Opens the dashboard of an organization whose three repositories have deployments in every state, and tests of each kind. */
export async function openWhatIsLive(): Promise<Dashboard> {
  const dashboard = await openDashboard()
  const { deploy, test, age } = openPipeline(dashboard.service)
  for (const [at, repository] of repositories.entries()) {
    for (const environment of environments) {
      const former = await deploy({ repository, environment, message: 'Begin' })
      await age(former, 2)
      const id = await deploy({ repository, environment, message: titles[at] ?? '' })
      await test(id, { failed: at })
      await age(id, at)
    }
  }
  await deploy({ repository: 'acme/shop', environment: 'production', state: 'failure' })
  await deploy({
    repository: 'acme/payments-api',
    state: 'in_progress',
    ref: 'feat/' + 'x'.repeat(60),
  })
  const { asOwner, orgId } = dashboard.service
  await asOwner(
    `update deployments set state = 'rolled_back' where org_id = $1 and id in (
       select id from deployments where org_id = $1 and state = 'superseded' order by id limit 2)`,
    [orgId],
  )
  await asOwner(
    `update test_runs set flaky = 3 where org_id = $1 and id in (
       select id from test_runs where org_id = $1 order by id limit 3)`,
    [orgId],
  )
  // Enough for a screen of them.
  for (let n = 0; n < 24; n += 1) {
    await deploy({
      repository: repositories[n % 3] ?? '',
      environment: 'development',
      message: `ABC-${n} Change`,
    })
  }
  return dashboard
}
