/**
 * Lists the topics of an organization's changes. `configuration`: values of a schema in some environment; `member`:
 * members and invitations.
 */
const organizationTopics = [
  'deployment',
  'test_run',
  'notification',
  'notification_route',
  'integration',
  'webhook_delivery',
  'outgoing_webhook',
  'target',
  'sync',
  'workflow_dispatch',
  'configuration',
  'schema',
  'environment',
  'segment',
  'change_request',
  'signal',
  'proof',
  'plan',
  'commit_check',
  'gate',
  'organization',
  'member',
  'api_key',
  'failed_job',
  'audit_event',
] as const

/**
 * Lists what an event of an organization's stream says has changed. `all`: something may have been missed, or anything may
 * have changed. `configuration` names the schema; `audit_event` names nothing.
 */
export const liveTopics = ['all', ...organizationTopics] as const
export type LiveTopic = (typeof liveTopics)[number]

/**
 * Lists the topics of reads and writes. No stream announces the last two: `account` is the signed-in person, `server`
 * the applications and failed jobs of the server.
 */
export const topics = [...organizationTopics, 'account', 'server'] as const
export type Topic = (typeof topics)[number]
