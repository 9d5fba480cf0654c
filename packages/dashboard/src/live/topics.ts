import type { Query } from '@tanstack/react-query'

/**
 * What is read again when something changed, by the topic of the server's hint: parts of the paths that show it. A topic
 * that is not here, such as one of a newer server, means everything.
 */
const pathsByTopic: Readonly<Record<string, readonly string[]>> = {
  deployment: ['/deployments', '/overview', '/series', '/changes', '/environments'],
  test_run: ['/test-runs', '/deployments', '/overview', '/series', '/changes'],
  notification: ['/deployments', '/overview', '/integrations/chat'],
  integration: ['/integrations', '/overview', '/provider-apps'],
  sync: ['/integrations/codehost', '/deployments', '/environments'],
  dispatch: ['/dispatches', '/deployments'],
  webhook_delivery: ['/webhook-deliveries', '/overview'],
  config_version: ['/config-', '/overview', '/changes'],
  schema: ['/config-', '/overview'],
  environment: ['/environments', '/config-', '/overview', '/deployments'],
  member: ['/members', '/invitations', '/me'],
  api_key: ['/api-keys', '/overview'],
}

/** Whether a read that is on the screen shows what a hint is about. */
export function showsTopic({ queryKey }: Query, topic: string): boolean {
  const [route] = queryKey
  const paths = pathsByTopic[topic]
  return (
    paths === undefined || (typeof route === 'string' && paths.some((path) => route.includes(path)))
  )
}
