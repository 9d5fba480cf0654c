type Env = Readonly<Partial<Record<string, string>>>

/** Maps the variables that `action.yml` sets to its inputs. */
const inputOfVariable: Readonly<Record<string, string>> = {
  SIGNALBOX_TOKEN: 'token',
  SIGNALBOX_URL: 'server',
  SIGNALBOX_ORGANIZATION: 'organization',
}

/** Returns the name of a variable for people. In the GitHub Action it adds the input that sets it. */
export function nameVariable(variable: string, env: Env): string {
  const input = env['INPUT_COMMAND'] === undefined ? undefined : inputOfVariable[variable]
  return input === undefined ? variable : `${variable} (the input ${input})`
}
