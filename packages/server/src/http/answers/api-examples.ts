/** Describes a request that the API reference shows before its list. */
export interface ApiExample {
  readonly operationId: string
  readonly title: string
  /** Holds the path and query with example values. The organization is named by its slug. */
  readonly path: string
  readonly body?: object
}

/** Lists the requests that scripts send most, in the order in which a reader needs them. */
export const apiExamples: readonly ApiExample[] = [
  {
    operationId: 'readValues',
    title: 'Read all values of an environment',
    path: '/organizations/acme/config/values?environment=production',
  },
  {
    operationId: 'evaluateFlag',
    title: 'Ask for a flag, for one user',
    path: '/organizations/acme/config/feature-flags/newCheckout/evaluate',
    body: { environment: 'production', context: { targetingKey: 'user-4711', plan: 'pro' } },
  },
  {
    operationId: 'setConfigValues',
    title: 'Set values',
    path: '/organizations/acme/config-values',
    body: {
      schemaId: 'sch_01jd2m4x9k0000000000000000',
      environmentId: 'env_01jd2m4x9k0000000000000000',
      values: { newCheckout: true, timeoutMs: 2500 },
      comment: 'PAY-225',
    },
  },
  {
    operationId: 'createDeployment',
    title: 'Report a deployment from a pipeline',
    path: '/organizations/acme/deployments',
    body: {
      repository: 'acme/shop',
      sha: '4f2e1d0c9b8a7f6e5d4c3b2a1f0e9d8c7b6a5f4e',
      ref: 'main',
      environment: 'production',
      state: 'success',
      externalId: 'build-812',
    },
  },
  {
    operationId: 'listDeployments',
    title: 'List the newest deployments',
    path: '/organizations/acme/deployments?limit=10',
  },
]

/** Renders a request as a command for a shell. The credential is a variable, so that no history keeps it. */
export function toCurl(method: string, url: string, body: object | undefined): string {
  const lines = [
    `curl ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}"${url}"`,
    '-H "Authorization: Bearer $SIGNALBOX_TOKEN"',
  ]
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body, null, 2)}'`)
  }
  return lines.join(' \\\n  ')
}
