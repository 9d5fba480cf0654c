import { applyCommand } from './commands/apply/apply.ts'
import { agentTokensRoutes } from './commands/keys/agent-tokens.ts'
import { auditLogRoutes } from './commands/audit-log/audit-log.ts'
import { targetsRoutes } from './commands/targets/targets.ts'
import { serviceAccountsRoutes } from './commands/keys/service-accounts.ts'
import { webhooksRoutes } from './commands/webhooks/webhooks.ts'
import { checkCommand } from './commands/definition/check.ts'
import { completionCommand } from './commands/server/completion.ts'
import {
  envCommand,
  exportCommand,
  migrateCommand,
  natsUserCommand,
  publisherKeysCommand,
  replicaCommand,
  resetPasswordCommand,
  rotateRootKeyCommand,
  startCommand,
  verifyAuditCommand,
} from './commands/server/delegated.ts'
import { demoCommand } from './commands/server/demo.ts'
import { deploymentsRoutes } from './commands/deployments/deployments.ts'
import { diffCommand } from './commands/definition/diff.ts'
import { doctorCommand } from './commands/server/doctor.ts'
import { environmentsRoutes } from './commands/environments/environments.ts'
import { getCommand } from './commands/values/get.ts'
import { githubActionCommand } from './commands/server/github-action.ts'
import { historyCommand } from './commands/values/history.ts'
import { importCommand } from './commands/values/import.ts'
import { initCommand } from './commands/definition/init.ts'
import { loginCommand } from './commands/account/login.ts'
import { logoutCommand } from './commands/account/logout.ts'
import { mcpCommand } from './commands/server/mcp.ts'
import { promoteCommand } from './commands/values/promote.ts'
import { pullCommand } from './commands/values/pull.ts'
import { pushCommand } from './commands/definition/push.ts'
import { reportCommand } from './commands/server/report.ts'
import { restoreCommand } from './commands/values/restore.ts'
import { runCommand } from './commands/values/run.ts'
import { scanCommand } from './commands/values/scan.ts'
import { segmentsRoutes } from './commands/segments/segments.ts'
import { setCommand } from './commands/values/set.ts'
import { turnRoutes } from './commands/values/turn.ts'
import { typesCommand } from './commands/definition/types.ts'
import { unsetCommand } from './commands/values/unset.ts'
import { whoamiCommand } from './commands/account/whoami.ts'

/** Maps each word to its command. The overview groups them. */
export const routes = {
  start: startCommand,
  demo: demoCommand,
  login: loginCommand,
  init: initCommand,
  push: pushCommand,
  set: setCommand,
  run: runCommand,
  pull: pullCommand,
  get: getCommand,
  unset: unsetCommand,
  turn: turnRoutes,
  check: checkCommand,
  diff: diffCommand,
  types: typesCommand,
  whoami: whoamiCommand,
  logout: logoutCommand,
  environments: environmentsRoutes,
  segments: segmentsRoutes,
  webhooks: webhooksRoutes,
  targets: targetsRoutes,
  'service-accounts': serviceAccountsRoutes,
  'agent-tokens': agentTokensRoutes,
  apply: applyCommand,
  'audit-log': auditLogRoutes,
  history: historyCommand,
  restore: restoreCommand,
  promote: promoteCommand,
  deployments: deploymentsRoutes,
  report: reportCommand,
  scan: scanCommand,
  mcp: mcpCommand,
  doctor: doctorCommand,
  completion: completionCommand,
  migrate: migrateCommand,
  export: exportCommand,
  import: importCommand,
  env: envCommand,
  'verify-audit': verifyAuditCommand,
  'reset-password': resetPasswordCommand,
  'rotate-root-key': rotateRootKeyCommand,
  'publisher-keys': publisherKeysCommand,
  replica: replicaCommand,
  'nats-user': natsUserCommand,
  'github-action': githubActionCommand,
} as const
