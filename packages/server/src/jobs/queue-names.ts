/** Lists the queues of all features by name: a name that is not in it does not compile anywhere. */
export const queueNames = [
  'deployments.enrich',
  'deployments.reconcile',
  'deployments.refreshEnvironments',
  'deployments.reread',
  'deployments.rereadKeys',
  'deployments.runSync',
  'deployments.sync',
  'inbox.heal',
  'inbox.process',
  'integrations.keepGrant',
  'integrations.keepGrants',
  'integrations.revoke',
  'notifications.refresh',
  'notifications.release',
  'notifications.send',
  'notifications.sweep',
  'retention.destroyOrganizations',
  'retention.forgetChanges',
  'retention.purge',
  'targets.run',
  'targets.sweep',
  'testRuns.close',
  'testRuns.closeOverdue',
  'testRuns.dispatch',
  'testRuns.find',
  'testRuns.findDispatch',
  'testRuns.followDispatch',
  'testRuns.request',
] as const

/** Names a queue. */
export type QueueName = (typeof queueNames)[number]
