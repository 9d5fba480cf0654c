import type { Command, RouteMap } from '@stricli/core'
import type { briefs } from './help/briefs.ts'
import type { CliContext } from './cli-context.ts'

/** Describes a command, or a group of commands. */
export type CommandTarget = Command<CliContext> | RouteMap<CliContext>

/** Maps each word to its command, which is loaded when it is asked for: a start reads few files. */
export const routes = {
  start: async () => (await import('./commands/server/delegated.ts')).startCommand,
  demo: async () => (await import('./commands/server/demo.ts')).demoCommand,
  login: async () => (await import('./commands/account/login.ts')).loginCommand,
  init: async () => (await import('./commands/definition/init.ts')).initCommand,
  push: async () => (await import('./commands/definition/push.ts')).pushCommand,
  set: async () => (await import('./commands/values/set.ts')).setCommand,
  run: async () => (await import('./commands/values/run.ts')).runCommand,
  pull: async () => (await import('./commands/values/pull.ts')).pullCommand,
  get: async () => (await import('./commands/values/get.ts')).getCommand,
  unset: async () => (await import('./commands/values/unset.ts')).unsetCommand,
  rules: async () => (await import('./commands/values/rules.ts')).rulesRoutes,
  turn: async () => (await import('./commands/values/turn.ts')).turnRoutes,
  rollout: async () => (await import('./commands/rollouts/rollout.ts')).rolloutCommand,
  rollouts: async () => (await import('./commands/rollouts/rollouts.ts')).rolloutsRoutes,
  requests: async () => (await import('./commands/requests/requests.ts')).requestsRoutes,
  approve: async () => (await import('./commands/requests/open-request.ts')).approveCommand,
  decline: async () => (await import('./commands/requests/open-request.ts')).declineCommand,
  override: async () => (await import('./commands/requests/open-request.ts')).overrideCommand,
  proofs: async () => (await import('./commands/proofs/proofs.ts')).proofsRoutes,
  signals: async () => (await import('./commands/signals/signals.ts')).signalsRoutes,
  check: async () => (await import('./commands/definition/check.ts')).checkCommand,
  diff: async () => (await import('./commands/definition/diff.ts')).diffCommand,
  types: async () => (await import('./commands/definition/types.ts')).typesCommand,
  whoami: async () => (await import('./commands/account/whoami.ts')).whoamiCommand,
  logout: async () => (await import('./commands/account/logout.ts')).logoutCommand,
  environments: async () =>
    (await import('./commands/environments/environments.ts')).environmentsRoutes,
  segments: async () => (await import('./commands/segments/segments.ts')).segmentsRoutes,
  webhooks: async () => (await import('./commands/webhooks/webhooks.ts')).webhooksRoutes,
  targets: async () => (await import('./commands/targets/targets.ts')).targetsRoutes,
  'service-accounts': async () =>
    (await import('./commands/keys/service-accounts.ts')).serviceAccountsRoutes,
  'agent-tokens': async () => (await import('./commands/keys/agent-tokens.ts')).agentTokensRoutes,
  groups: async () => (await import('./commands/access/groups.ts')).groupsRoutes,
  grants: async () => (await import('./commands/access/grants.ts')).grantsRoutes,
  access: async () => (await import('./commands/access/access.ts')).accessCommand,
  apply: async () => (await import('./commands/apply/apply.ts')).applyCommand,
  'audit-log': async () => (await import('./commands/audit-log/audit-log.ts')).auditLogRoutes,
  history: async () => (await import('./commands/values/history.ts')).historyCommand,
  restore: async () => (await import('./commands/values/restore.ts')).restoreCommand,
  promote: async () => (await import('./commands/values/promote.ts')).promoteCommand,
  previews: async () => (await import('./commands/previews/previews.ts')).previewsRoutes,
  deployments: async () =>
    (await import('./commands/deployments/deployments.ts')).deploymentsRoutes,
  gate: async () => (await import('./commands/gates/gate.ts')).gateCommand,
  gates: async () => (await import('./commands/gates/gates.ts')).gatesRoutes,
  freeze: async () => (await import('./commands/gates/freeze.ts')).freezeCommand,
  unfreeze: async () => (await import('./commands/gates/freeze.ts')).unfreezeCommand,
  report: async () => (await import('./commands/server/report.ts')).reportCommand,
  scan: async () => (await import('./commands/values/scan.ts')).scanCommand,
  mcp: async () => (await import('./commands/server/mcp.ts')).mcpCommand,
  doctor: async () => (await import('./commands/server/doctor.ts')).doctorCommand,
  completion: async () => (await import('./commands/server/completion.ts')).completionCommand,
  migrate: async () => (await import('./commands/server/delegated.ts')).migrateCommand,
  export: async () => (await import('./commands/server/delegated.ts')).exportCommand,
  import: async () => (await import('./commands/values/import.ts')).importCommand,
  env: async () => (await import('./commands/server/delegated.ts')).envCommand,
  'verify-audit': async () => (await import('./commands/server/delegated.ts')).verifyAuditCommand,
  'reset-password': async () =>
    (await import('./commands/server/delegated.ts')).resetPasswordCommand,
  'rotate-root-key': async () =>
    (await import('./commands/server/delegated.ts')).rotateRootKeyCommand,
  'publisher-keys': async () =>
    (await import('./commands/server/delegated.ts')).publisherKeysCommand,
  replica: async () => (await import('./commands/server/delegated.ts')).replicaCommand,
  'nats-user': async () => (await import('./commands/server/delegated.ts')).natsUserCommand,
  'github-action': async () =>
    (await import('./commands/server/github-action.ts')).githubActionCommand,
} as const satisfies Readonly<Record<keyof typeof briefs, () => Promise<CommandTarget>>>
