import type { Environment } from '../environments.ts'

const list = new Intl.ListFormat('en-GB')

interface Described extends Pick<Environment, 'production'> {
  readonly protection: Pick<Environment['protection'], 'confirm' | 'comment' | 'approvals'>
}

/**
 * Describes what changes of an environment require: `typing its name, a comment and 2 approvals`. The server does not require
 * the name of production where nothing protects it; dashboard and command line do. Returns `nothing` where a change is free.
 */
export function describeProtection({
  production,
  protection: { confirm, comment, approvals },
}: Described): string {
  const asks = [
    ...(confirm ? ['typing its name'] : []),
    ...(production && !confirm ? ['typing its name (dashboard and CLI)'] : []),
    ...(comment ? ['a comment'] : []),
    ...(approvals > 0 ? [approvals === 1 ? '1 approval' : `${approvals} approvals`] : []),
  ]
  return asks.length === 0 ? 'nothing' : list.format(asks)
}
