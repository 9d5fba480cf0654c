const panels = ['channel', 'rule', 'tests', 'run'] as const

/** What is open of an integration, as the address says it. */
export interface IntegrationSearch {
  readonly panel?: (typeof panels)[number]
  /** What it begins with: the name at the code host for a rule, the workflow's id for a run. */
  readonly of?: string
}

export function readIntegrationSearch(search: Record<string, unknown>): IntegrationSearch {
  const { of } = search
  const panel = panels.find((one) => one === search['panel'])
  return {
    ...(panel !== undefined && { panel }),
    ...(typeof of === 'string' && { of }),
  }
}

const apps = ['github', 'jira', 'slack'] as const

export interface IntegrationsSearch {
  /** Whose application is set up. */
  readonly app?: (typeof apps)[number]
}

export function readIntegrationsSearch(search: Record<string, unknown>): IntegrationsSearch {
  const app = apps.find((one) => one === search['app'])
  return app === undefined ? {} : { app }
}
