const panels = ['channel', 'rule', 'tests', 'run'] as const

/** Describes what is open of an integration, as the address says it. */
export interface IntegrationSearch {
  readonly panel?: (typeof panels)[number]
  /** Holds what it begins with: the name at the code host for a rule, the workflow's id for a run. */
  readonly of?: string
}

/** Reads the address of the screen; what it does not know is left out. */
export function readIntegrationSearch(search: Record<string, unknown>): IntegrationSearch {
  const { of } = search
  const panel = panels.find((one) => one === search['panel'])
  return {
    ...(panel !== undefined && { panel }),
    ...(typeof of === 'string' && { of }),
  }
}

/** Describes what the address of the screen says. */
export interface IntegrationsSearch {
  /** Says whose application is set up. */
  readonly app?: string
}

/** Reads the address of the screen; what it does not know is left out. */
export function readIntegrationsSearch(search: Record<string, unknown>): IntegrationsSearch {
  const { app } = search
  return typeof app === 'string' ? { app } : {}
}
