import type { QueueName } from './jobs/queue-names.ts'

/**
 * Lists what happens after what. Read this page to follow a change from the write to the application that reads it.
 *
 * A write commits, in one transaction: the values, the version, the snapshots that browsers and servers will read, and
 * the audit event. The reactions to it do not call each other, so that a failure in one loses nothing:
 *
 * ```
 * configuration committed ──> store announces ──> each node's delivery reads the snapshots ──> its streams tell readers
 * keys, people committed  ──> store announces ──> each node's key cache reads the changes   ──> its streams end the revoked
 * anything that is shown  ──> triggers record it in the same transaction, the store announces ──> each node informs its dashboards
 * configuration committed ──> a trigger counts it for the environment's targets ──> a run of each is added, which writes its values
 * every second            ──> all of them poll, because an announcement may be lost
 * at times of the day     ──> the schedule below
 * ```
 */

/**
 * Maps an event to the queues that get a job, added in the transaction that emits the event. Each arrow is a durable job:
 *
 * ```
 * webhook ──> inbox stores it, answers ──> inbox.process ──> deployments, test runs, integrations, notifications
 *                                            deployment.changed ──> commits and issues are fetched, messages updated; previews are made and ended
 *                                            deployment.succeeded ──> a test run is requested; tests of the run that deployed are read
 *                                            issues.changed, testRun.changed ──> messages are updated
 *                                            deployment waits ──> its gates are judged, the answer is sent to the code host
 *                                            testRun.ended ──> the test results are read from the code host
 *                                            dispatch.reopened ──> the run of a dispatch is read until its end, again
 * a member connects ──> the code host is read; the checks of commits are written there; keys are looked up in the tracker; messages that waited for the chat are sent
 * production is configured ──> a message says so
 * somebody asks for a change, reviews or applies it ──> its one message is updated
 * a change is watched ──> its tests are started; it is proven, or taken back ──> its message is updated
 * ```
 */
export const reactions = {
  'codehost.connected': ['deployments.sync', 'notifications.refresh', 'commitChecks.reportAgain'],
  'tracker.connected': ['deployments.reread', 'notifications.refresh'],
  'chat.connected': ['notifications.release'],
  'integration.disconnected': ['integrations.revoke'],
  'integration.attention': ['notifications.refresh'],
  'configuration.changed': ['notifications.refresh'],
  'changeRequest.changed': ['notifications.refresh'],
  'proof.begun': ['testRuns.requestForProof'],
  'proof.changed': ['notifications.refresh'],
  'environments.changed': ['deployments.refreshEnvironments'],
  'gate.changed': ['notifications.refresh'],
  'deployment.changed': ['deployments.enrich', 'notifications.refresh', 'previews.follow'],
  'deployment.succeeded': ['testRuns.request', 'testRuns.readDeploying'],
  'issues.changed': ['notifications.refresh'],
  'testRun.changed': ['notifications.refresh'],
  'testRun.ended': ['testRuns.readReport'],
  'dispatch.reopened': ['testRuns.followDispatch'],
} as const satisfies Record<string, readonly QueueName[]>

/** Maps a queue to the times at which it gets a job, in cron's syntax and UTC. One node adds it for all. */
export const schedule = {
  /** Deletes ended sessions, keys and tokens that were revoked long ago, and answers stored for idempotency keys. */
  'retention.purge': '17 * * * *',
  /** Destroys organizations deleted seven days ago: the rows, and the key that opens what backups still hold. */
  'retention.destroyOrganizations': '43 3 * * *',
  /** Deletes the changes of more than some minutes ago, which are stored for the streams of dashboards. */
  'retention.forgetChanges': '* * * * *',
  /** Deletes deployments, test runs and test results that are older than the settings say. */
  'retention.forgetOld': '27 * * * *',
  /** Looks for the records that verify e-mail domains. */
  'identity.checkDomains': '23 5 * * *',
  /** Renews grants that a provider would end because nobody uses them. */
  'integrations.keepGrants': '11 4 * * *',
  /** Recovers webhooks that did not reach this server, from the providers' logs. */
  'inbox.heal': '* * * * *',
  /** Reads what was removed at the code host, and what no webhook reported. */
  'deployments.reconcile': '37 */6 * * *',
  /** Reads issues again whose change no webhook reported. */
  'deployments.reconcileIssues': '7 */6 * * *',
  /** Reads the deployments of code hosts whose webhooks leave some out. */
  'deployments.poll': '*/5 * * * *',
  /** Ends previews to which nothing happens, and deletes those that ended a week ago. */
  'previews.sweep': '*/5 * * * *',
  /** Looks at the webhooks of repositories: hourly, and every ten minutes while something is wrong with them. */
  'deployments.dueHooks': '*/10 * * * *',
  /** Closes test runs whose deadline has passed. */
  'testRuns.closeOverdue': '* * * * *',
  /** Runs the targets of environments that were published, and whose announcement was lost. */
  'targets.sweep': '* * * * *',
  /** Signs snapshots that no write has signed: after an upgrade, and after a change of the publisher keys. */
  'configs.signSnapshots': '* * * * *',
  /** Ends change requests that nobody has decided about in thirty days. */
  'configs.expireRequests': '13 * * * *',
  /** Notes the secrets that are due in two weeks, in three days, or now, for outgoing webhooks. */
  'configs.noteDueSecrets': '47 * * * *',
  /** Sends messages that are older than their subject and have no job. */
  'notifications.sweep': '* * * * *',
} as const satisfies Partial<Record<QueueName, string>>
