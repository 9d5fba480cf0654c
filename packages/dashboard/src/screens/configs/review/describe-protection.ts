import type { Environment } from '../environments.ts'

/**
 * Describes what changes of an environment require: `typing its name and a comment`. The server does not require the
 * name of production where nothing protects it; dashboard and command line do. Returns `nothing` where a change is
 * free.
 */
export function describeProtection({
  production,
  protection: { confirm, comment },
}: Pick<Environment, 'production' | 'protection'>): string {
  const asks = [
    ...(confirm ? ['typing its name'] : []),
    ...(production && !confirm ? ['typing its name (dashboard and CLI)'] : []),
    ...(comment ? ['a comment'] : []),
  ]
  return asks.length === 0 ? 'nothing' : asks.join(' and ')
}
