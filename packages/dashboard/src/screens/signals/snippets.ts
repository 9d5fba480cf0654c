/** Lists the tools that send alerts, with what a person enters there. */
export interface Snippet {
  readonly tool: string
  /** Says where it belongs. */
  readonly where: string
  readonly code: string
}

/** Returns how alerts are sent to an address. `secret`: what authenticates them. */
export function listSnippets(address: string, secret: string): readonly Snippet[] {
  return [
    {
      tool: 'Alertmanager',
      where: 'In alertmanager.yml, below receivers. Let a route lead to it.',
      code: `- name: signalbox
  webhook_configs:
    - url: ${address}
      send_resolved: true
      http_config:
        authorization:
          credentials: ${secret}`,
    },
    {
      tool: 'Grafana',
      where:
        'In a file of provisioning/alerting, or with the same fields under Alerting → Contact points.',
      code: `apiVersion: 1
contactPoints:
  - name: signalbox
    receivers:
      - uid: signalbox
        type: webhook
        settings:
          url: ${address}
          authorization_scheme: Bearer
          authorization_credentials: ${secret}`,
    },
    {
      tool: 'curl',
      where: 'From any script. Send "resolved" once it is over.',
      code: `curl -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"status":"firing"}' \\
  ${address}`,
    },
  ]
}
