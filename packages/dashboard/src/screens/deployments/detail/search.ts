import { readSearch, text, yes } from '../../address-values.ts'

/** Reads the dialogs that are open above a deployment. */
export const readDeploymentSearch = readSearch({
  /** Holds the id of the sync to follow. */
  sync: text,
  /** Holds the initial branch or tag of the dialog that runs tests. Present while the dialog is open. */
  run: text,
  /** Says whether the dialog that deploys again is open. */
  deploy: yes,
  /** Holds the id of the start to follow. */
  dispatch: text,
})

/** Describes the dialogs that are open above a deployment. */
export type DeploymentSearch = ReturnType<typeof readDeploymentSearch>
