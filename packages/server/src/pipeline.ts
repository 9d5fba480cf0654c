import type { QueueName } from './jobs/queue-names.ts'

/**
 * What happens after what. Read this page to follow a change from the write to the application that reads it.
 *
 * A write commits, in one transaction: the values, the version, the snapshots that browsers and servers will read, and
 * the audit event. What follows are reactions that do not call each other, so that a failure in one loses nothing:
 *
 * ```
 * configuration committed ──> store announces ──> each node's delivery reads the snapshots ──> its streams tell readers
 * keys, people committed  ──> store announces ──> each node's key cache reads the changes   ──> its streams end the revoked
 * anything that is shown   ──> triggers note it in the same transaction, the store announces ──> each node tells its dashboards
 * every second            ──> all of them look anyway, because an announcement may be lost
 * at times of the day     ──> the schedule below
 * ```
 */

/**
 * What follows from what providers tell us. Each arrow is a durable job, added in the transaction of what it follows from:
 *
 * ```
 * webhook ──> inbox stores it, answers ──> inbox.process ──> deployments, test runs, integrations, notifications
 *                                            deployment.changed ──> commits and issues are fetched, messages brought up to date
 *                                            deployment.succeeded ──> a test run is asked for
 *                                            issues.changed, testRun.changed ──> messages are brought up to date
 * a member connects ──> the code host is read; keys are looked up in the tracker; what waited for the chat is sent
 * production is configured ──> a message says so
 * ```
 */
export const reactions = {
  'codehost.connected': ['deployments.sync', 'notifications.refresh'],
  'tracker.connected': ['deployments.reread', 'notifications.refresh'],
  'chat.connected': ['notifications.release'],
  'integration.disconnected': ['integrations.revoke'],
  'integration.attention': ['notifications.refresh'],
  'configuration.changed': ['notifications.refresh'],
  'environments.changed': ['deployments.refreshEnvironments'],
  'deployment.changed': ['deployments.enrich', 'notifications.refresh'],
  'deployment.succeeded': ['testRuns.request'],
  'issues.changed': ['notifications.refresh'],
  'testRun.changed': ['notifications.refresh'],
} as const satisfies Record<string, readonly QueueName[]>

/** Work that nobody asks for: a queue of jobs, and when one is added to it (UTC). One node does it for all. */
export const schedule = {
  /** Ended sessions, keys and tokens that were revoked long ago, answers kept for repeats. */
  'retention.purge': '17 * * * *',
  /** Organizations deleted seven days ago: the rows, and the key that opens what backups still hold. */
  'retention.destroyOrganizations': '43 3 * * *',
  /** What changed more than some minutes ago: kept for the streams of dashboards. */
  'retention.forgetChanges': '* * * * *',
  /** Access that a provider would forget because nobody uses it. */
  'integrations.keepGrants': '11 4 * * *',
  /** Webhooks that did not reach us, found in the code host's own log. */
  'inbox.heal': '* * * * *',
  /** What was removed at the code host, and what no webhook told of. */
  'deployments.reconcile': '37 */6 * * *',
  /** Test runs whose time is over. */
  'testRuns.closeOverdue': '* * * * *',
  /** Messages that are behind although nobody is at it. */
  'notifications.sweep': '* * * * *',
} as const satisfies Partial<Record<QueueName, string>>
