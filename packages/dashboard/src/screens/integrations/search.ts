const panels = ['app', 'channel', 'rule', 'tests', 'run'] as const

/** Describes the dialog of an integration, as the address holds it. */
export interface IntegrationSearch {
  readonly panel?: (typeof panels)[number]
  /**
   * Holds the initial value of the dialog: the provider for its application, the name at the code host for a rule, the
   * workflow with its repository for a run.
   */
  readonly of?: string
  /** Holds the id of the sync to follow. */
  readonly sync?: string | undefined
}

/** Reads the address of the screen. Unknown values are left out. */
export function readIntegrationSearch(search: Record<string, unknown>): IntegrationSearch {
  const { of, sync } = search
  const panel = panels.find((one) => one === search['panel'])
  return {
    ...(panel !== undefined && { panel }),
    ...(typeof of === 'string' && { of }),
    ...(typeof sync === 'string' && { sync }),
  }
}

/** Describes the address of the screen. */
export interface IntegrationsSearch {
  /** Names the provider whose application is being set up. */
  readonly app?: string
}

/** Reads the address of the screen. Unknown values are left out. */
export function readIntegrationsSearch(search: Record<string, unknown>): IntegrationsSearch {
  const { app } = search
  return typeof app === 'string' ? { app } : {}
}
