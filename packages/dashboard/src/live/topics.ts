import type { LiveTopic } from '@signalbox/contract/rest'
import type { Query } from '@tanstack/react-query'

/** Parts of the paths that show what a topic is about. */
export const pathsByTopic: Readonly<Record<Exclude<LiveTopic, 'all'>, readonly string[]>> = {
  deployment: ['/deployments', '/overview', '/series', '/changes', '/environments', '/search'],
  test_run: ['/test-runs', '/deployments', '/overview', '/series', '/changes'],
  notification: ['/deployments', '/overview', '/integrations/chat', '/notification-routes'],
  notification_route: ['/notification-routes', '/deployments', '/overview'],
  integration: ['/integrations', '/overview', '/provider-apps', '/deployments'],
  sync: ['/integrations/codehost', '/deployments', '/environments', '/overview'],
  workflow_dispatch: ['/dispatches', '/deployments'],
  webhook_delivery: ['/webhook-deliveries', '/overview', '/deployments/diagnosis'],
  // The schemas themselves are as they were; a large one takes longer to read than what changed.
  configuration: [
    '/config-matrix',
    '/config-values',
    '/config-versions',
    '/config-schemas/',
    '/overview',
    '/changes',
    '/environments',
  ],
  schema: ['/config-', '/overview', '/changes', '/environments'],
  environment: ['/environments', '/config-', '/overview', '/deployments'],
  organization: ['/me', '/organizations'],
  member: ['/members', '/invitations', '/me'],
  api_key: ['/api-keys', '/overview'],
  dead_job: ['/dead-jobs', '/overview'],
  audit_event: ['/audit-events'],
}

/** What is read again by a topic of the server's hint. One that is not known, such as of a newer server, means everything. */
const pathsOf = new Map<string, readonly string[]>(Object.entries(pathsByTopic))

/** Whether a read that is on the screen shows what a hint is about. */
export function showsTopic({ queryKey }: Pick<Query, 'queryKey'>, topic: string): boolean {
  const [route] = queryKey
  const paths = pathsOf.get(topic)
  return (
    paths === undefined || (typeof route === 'string' && paths.some((path) => route.includes(path)))
  )
}
