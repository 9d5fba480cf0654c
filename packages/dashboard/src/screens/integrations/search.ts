import { oneOf, readSearch, text } from '../address-values.ts'

/** Reads the dialog of an integration from the address. */
export const readIntegrationSearch = readSearch({
  panel: oneOf('app', 'channel', 'rule', 'tests', 'run'),
  /**
   * Holds the initial value of the dialog: the provider for its application, the name at the code host for a rule, the
   * workflow with its repository for a run.
   */
  of: text,
  /** Holds the id of the sync to follow. */
  sync: text,
})

/** Describes the dialog of an integration, as the address holds it. */
export type IntegrationSearch = ReturnType<typeof readIntegrationSearch>

/** Reads the provider whose application is being set up. */
export const readIntegrationsSearch = readSearch({ app: text })

/** Describes the address of the screen. */
export type IntegrationsSearch = ReturnType<typeof readIntegrationsSearch>
