/** Describes the facts that decide whether a person can be asked. */
export interface Terminals {
  readonly stdinIsTTY: boolean
  readonly stderrIsTTY: boolean
  readonly env: Readonly<Partial<Record<string, string>>>
  readonly json: boolean
}

/** Returns why nobody can be asked, or `undefined` when somebody can. */
export function whyNotInteractive({
  stdinIsTTY,
  stderrIsTTY,
  env,
  json,
}: Terminals): string | undefined {
  const ci = env['CI']
  if (ci !== undefined && ci !== '' && ci !== '0' && ci !== 'false') return 'the variable CI is set'
  if (json) return '--json was given'
  if (!stdinIsTTY) return "stdin isn't a terminal"
  if (!stderrIsTTY) return "stderr isn't a terminal"
  return undefined
}
