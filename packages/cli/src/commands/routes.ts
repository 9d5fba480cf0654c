import { checkCommand } from './check.ts'
import { completionCommand } from './completion.ts'
import {
  envCommand,
  exportCommand,
  importCommand,
  resetPasswordCommand,
  rotateRootKeyCommand,
  startCommand,
  verifyAuditCommand,
} from './delegated.ts'
import { demoCommand } from './demo.ts'
import { diffCommand } from './diff.ts'
import { doctorCommand } from './doctor.ts'
import { environmentsRoutes } from './environments.ts'
import { getCommand } from './get.ts'
import { githubActionCommand } from './github-action.ts'
import { historyCommand } from './history.ts'
import { initCommand } from './init.ts'
import { loginCommand } from './login.ts'
import { logoutCommand } from './logout.ts'
import { promoteCommand } from './promote.ts'
import { pullCommand } from './pull.ts'
import { pushCommand } from './push.ts'
import { reportCommand } from './report.ts'
import { restoreCommand } from './restore.ts'
import { runCommand } from './run.ts'
import { scanCommand } from './scan.ts'
import { setCommand } from './set.ts'
import { typesCommand } from './types.ts'
import { unsetCommand } from './unset.ts'
import { whoamiCommand } from './whoami.ts'

/** Every command by the word it is called with, in the order of the help. */
export const routes = {
  start: startCommand,
  demo: demoCommand,
  login: loginCommand,
  logout: logoutCommand,
  whoami: whoamiCommand,
  init: initCommand,
  check: checkCommand,
  push: pushCommand,
  diff: diffCommand,
  types: typesCommand,
  get: getCommand,
  set: setCommand,
  unset: unsetCommand,
  pull: pullCommand,
  run: runCommand,
  environments: environmentsRoutes,
  history: historyCommand,
  restore: restoreCommand,
  promote: promoteCommand,
  report: reportCommand,
  scan: scanCommand,
  doctor: doctorCommand,
  completion: completionCommand,
  export: exportCommand,
  import: importCommand,
  env: envCommand,
  'verify-audit': verifyAuditCommand,
  'reset-password': resetPasswordCommand,
  'rotate-root-key': rotateRootKeyCommand,
  'github-action': githubActionCommand,
} as const
